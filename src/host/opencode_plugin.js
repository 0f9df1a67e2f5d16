// Asks the policy before opencode runs a tool. `policy install opencode` puts its own command in the line below.
//
// opencode starts no hook commands, it calls this plugin, and takes a throw as a denial whose message the model sees. So a tool runs only
// after an "allow" that was understood; whatever else happens throws. opencode itself waits without end, so the deadline here is the only one.
//
// What the command gets, on standard input, one JSON object:
//   {"hook_event_name": "tool.execute.before",
//    "tool": the tool's name, "args": its arguments, "cwd": the folder opencode works in, "session": id, "call_id": id}
// What it answers, on standard output, one JSON object, and nothing else:
//   {"verdict": "allow"}                          the call runs as it is; counts with exit status 0 only
//   {"verdict": "allow", "updated_args": {...}}   it runs with these arguments, all of them, in place of its own
//   {"verdict": "deny", "reason": "..."}          it does not run, and the model is told why
//   {"verdict": "ask", "reason": "..."}           it does not run until a person has approved it, and the reason says how
//
// The Node package `tool-policy` gives the same answer to the same input in this process, approvals included, and saves the start of a program. It is
// looked for only where both this file and the package lie outside the project: what lies inside, the agent may have written itself.
import { spawn } from "node:child_process"
import { realpathSync } from "node:fs"
import { isAbsolute, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { isProxy } from "node:util/types"

const COMMAND = ["policy", "hook", "opencode"] // as `policy install` found it

const DEADLINE_MS = 9000
const LONGEST_ANSWER = 64 * 1024 * 1024
const DEEPEST = 100
const MOST_VALUES = 1_000_000

export const Policy = async ({ directory, worktree }) => {
  const inProcess = await hookOfPackage(directory, worktree)
  return {
    "tool.execute.before": async (input, output) => {
      const args = output.args ?? {}
      const asked = text(args)
      const payload = JSON.stringify({
        hook_event_name: "tool.execute.before",
        tool: input.tool,
        args: JSON.parse(asked),
        cwd: directory,
        session: input.sessionID,
        call_id: input.callID,
      })
      const answer = read(inProcess === undefined ? await run(payload, directory) : inProcess(payload))
      if (answer.verdict !== "allow") throw new Error(answer.reason)
      if (output.args !== undefined && output.args !== null && (output.args !== args || text(args) !== asked)) {
        throw refusal("the arguments changed while the policy was asked")
      }
      if (answer.updated_args !== undefined) replace(output, answer.updated_args)
    },
  }
}

/** What is thrown where there is no verdict. */
function refusal(problem) {
  return new Error(`The policy could not be asked, so this call was not run: ${problem}`)
}

/** Starts the command and gives what it printed and how it ended, or throws. */
function run(payload, cwd) {
  return new Promise((resolve, reject) => {
    const [program, ...options] = COMMAND
    // A group of its own, so that all of it can be ended.
    const child = spawn(program, options, { cwd, stdio: ["pipe", "pipe", "pipe"], detached: process.platform !== "win32" })
    const out = []
    let size = 0
    let err = ""
    const giveUp = (problem) => {
      clearTimeout(timer)
      kill(child)
      reject(refusal(problem))
    }
    const timer = setTimeout(() => giveUp(`\`${program}\` did not answer within ${DEADLINE_MS} ms`), DEADLINE_MS)
    child.on("error", (e) => giveUp(`\`${program}\` could not be started: ${e.message}`))
    // The command may answer without reading all of it.
    child.stdin.on("error", () => {})
    child.stdout.on("data", (chunk) => {
      size += chunk.length
      if (size > LONGEST_ANSWER) giveUp(`\`${program}\` answers without end`)
      else out.push(chunk)
    })
    child.stderr.on("data", (chunk) => {
      if (err.length < 2000) err += chunk
    })
    child.on("close", (code, signal) => {
      clearTimeout(timer)
      resolve({ stdout: Buffer.concat(out), exit: signal ?? code, stderr: err.trim() })
    })
    child.stdin.end(payload)
  })
}

function kill(child) {
  child.stdout?.destroy()
  child.stderr?.destroy()
  try {
    if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, "SIGKILL")
  } catch {
    // It is gone.
  }
  child.kill("SIGKILL")
}

/** The answer, with a reason where it is none to run; throws at anything that is no answer. */
function read({ stdout, exit, stderr }) {
  let answer
  try {
    answer = JSON.parse(typeof stdout === "string" ? stdout : new TextDecoder("utf-8", { fatal: true }).decode(stdout))
  } catch {
    answer = undefined
  }
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)
  const verdict = isObject(answer) && Object.hasOwn(answer, "verdict") ? answer.verdict : undefined
  const reason = typeof answer?.reason === "string" && answer.reason.trim() !== "" ? answer.reason : undefined
  if (verdict === "deny") return { verdict, reason: reason ?? "Denied by the policy." }
  if (verdict === "ask") {
    return { verdict, reason: reason ?? "A person has to approve this call: `policy pending` lists it, `policy approve ID` lets it through once." }
  }
  if (verdict === "allow" && exit === 0) {
    if (!Object.hasOwn(answer, "updated_args")) return { verdict }
    if (isObject(answer.updated_args)) return { verdict, updated_args: answer.updated_args }
  }
  throw refusal(`its answer is none (exit ${exit}${stderr ? `: ${stderr}` : ""})`)
}

/** Puts other arguments in the place of the call's. Only a change in place counts with opencode. */
function replace(output, args) {
  if (output.args === undefined || output.args === null) throw refusal("the call has no arguments that could be changed")
  for (const key of Reflect.ownKeys(output.args)) delete output.args[key]
  for (const [key, value] of Object.entries(args)) {
    // Not assigned, as that would give `__proto__` a meaning.
    Object.defineProperty(output.args, key, { value, writable: true, enumerable: true, configurable: true })
  }
}

/** The arguments as JSON text that says all of them; throws where there is none. What is undefined counts as left out. */
function text(args) {
  if (typeof args !== "object" || Array.isArray(args)) throw refusal("the arguments are no object")
  plain(args, [], { left: MOST_VALUES })
  return JSON.stringify(args)
}

function plain(value, above, count) {
  const type = typeof value
  if ((count.left -= 1) < 0) throw refusal("the arguments are too many")
  if (value === null || type === "string" || type === "boolean" || (type === "number" && Number.isFinite(value))) return
  if (type !== "object" || isProxy(value) || above.includes(value) || above.length >= DEEPEST) throw refusal("an argument is no JSON")
  if (!Array.isArray(value)) {
    const prototype = Object.getPrototypeOf(value)
    if (prototype !== null && (isProxy(prototype) || Object.getPrototypeOf(prototype) !== null)) throw refusal("an argument is no plain object")
  }
  const keys = Reflect.ownKeys(value)
  if (Array.isArray(value) && keys.length !== value.length + 1) throw refusal("an argument has a part that is no JSON")
  for (const key of keys) {
    const property = Reflect.getOwnPropertyDescriptor(value, key)
    if (Array.isArray(value) && key === "length") continue
    const known = typeof key === "string" && "value" in property && property.enumerable
    if (!known) throw refusal("an argument has a part that is no JSON")
    if (key === "toJSON") throw refusal("an argument writes itself as JSON")
    if (property.value !== undefined || Array.isArray(value)) plain(property.value, [...above, value], count)
  }
}

/** Judging inside this process, where there is a package for it. */
async function hookOfPackage(directory, worktree) {
  try {
    const [, command, host, ...options] = COMMAND
    if (command !== "hook" || host !== "opencode") return undefined
    // From a plugin inside, the way to a package outside could lead over a link inside.
    for (const url of [import.meta.url, import.meta.resolve("tool-policy")]) {
      const file = fileURLToPath(url)
      if ([directory, worktree].some((project) => holds(project, file) || holds(project, realpathSync(file)))) return undefined
    }
    const { hook } = await import("tool-policy")
    if (typeof hook !== "function") return undefined
    return (payload) => hook(host, options, payload, directory)
  } catch {
    return undefined
  }
}

/** Whether the file lies in the folder, as it is written or as it is. Without a repository, opencode's folder of it is the root of the disk. */
function holds(folder, file) {
  if (typeof folder !== "string" || folder === "" || folder === "/") return false
  const inside = (from) => {
    const way = relative(from, file)
    return way !== "" && !way.startsWith("..") && !isAbsolute(way)
  }
  return inside(folder) || inside(realpathSync(folder))
}
