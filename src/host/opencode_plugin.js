// Asks `policy hook opencode` before every tool call of opencode, which runs no hook commands itself. A call runs only after an
// "allow"; everything else throws, which opencode takes as a denial.
import { spawn } from "node:child_process"

const COMMAND = "policy hook opencode"
const DEADLINE_MS = 10000

function run(payload) {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", COMMAND], { stdio: ["pipe", "pipe", "pipe"] })
    let out = ""
    const timer = setTimeout(() => { child.kill("SIGKILL"); reject(new Error(`no answer within ${DEADLINE_MS} ms`)) }, DEADLINE_MS)
    child.stdout.on("data", (chunk) => { out += chunk })
    child.stdin.on("error", () => {})
    child.on("error", (e) => { clearTimeout(timer); reject(e) })
    child.on("close", (code, signal) => { clearTimeout(timer); code === 0 ? resolve(out) : reject(new Error(`exit ${signal ?? code}`)) })
    child.stdin.end(JSON.stringify(payload))
  })
}

export const Policy = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    let v
    try {
      v = JSON.parse(await run({ tool: input.tool, args: output.args, session_id: input.sessionID, call_id: input.callID, cwd: directory }))
    } catch (e) {
      throw new Error(`the policy could not be asked (${e.message}); refused`)
    }
    if (v.verdict !== "allow") throw new Error(v.reason || "denied by policy")
    if (v.updated_args) {
      for (const key of Object.keys(output.args)) delete output.args[key]
      Object.assign(output.args, v.updated_args)
    }
  },
})
