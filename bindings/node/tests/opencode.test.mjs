// opencode's plugin with commands that fail in every way: nothing but an allow lets a tool run.
import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync, existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, test } from "node:test"
import { pathToFileURL } from "node:url"

const SOURCE = readFileSync(new URL("../../../src/host/opencode_plugin.js", import.meta.url), "utf8")
const LINE = 'const COMMAND = ["policy", "hook", "opencode"]'
const root = mkdtempSync(join(tmpdir(), "policy-opencode-"))
after(() => rmSync(root, { recursive: true, force: true }))

let made = 0

/** The plugin as it is installed in a folder, with this command. */
async function plugin(command, { folder, directory = root, worktree = "/", deadline = 9000 } = {}) {
  assert.ok(SOURCE.includes(LINE) && SOURCE.includes("DEADLINE_MS = 9000"))
  const home = folder ?? mkdtempSync(join(root, "plugin-"))
  const file = join(home, `policy-${(made += 1)}.mjs`)
  writeFileSync(file, SOURCE.replace(LINE, `const COMMAND = ${JSON.stringify(command)}`).replace("DEADLINE_MS = 9000", `DEADLINE_MS = ${deadline}`))
  const { Policy } = await import(pathToFileURL(file))
  const hooks = await Policy({ directory, worktree })
  return (args, input = {}) => {
    const output = { args }
    return hooks["tool.execute.before"]({ tool: "bash", sessionID: "ses_1", callID: "call_1", ...input }, output).then(() => output.args)
  }
}

/** A command that runs this script. */
function script(text) {
  const file = join(root, `stub-${(made += 1)}.mjs`)
  writeFileSync(file, text)
  return [process.execPath, file]
}

const answering = (text, exit = 0) => script(`process.stdin.resume().on("end", () => { process.stdout.write(${JSON.stringify(text)}); process.exitCode = ${exit} })`)

test("an allow runs the call as it is", async () => {
  const args = { command: "ls" }
  assert.equal(await (await plugin(answering('{"verdict":"allow"}\n')))(args), args)
  assert.deepEqual(args, { command: "ls" })
})

test("the command is given the call", async () => {
  const seen = join(root, "seen.json")
  const project = mkdtempSync(join(root, "project-"))
  const command = script(`let all = ""; process.stdin.on("data", (d) => all += d).on("end", () => { writeFileSync("${seen}", JSON.stringify([process.cwd(), all])); console.log('{"verdict":"allow"}') })
import { writeFileSync } from "node:fs"`)
  await (await plugin(command, { directory: project }))({ command: "ls", workdir: undefined, "é\u2028": [1, null, { a: -1.5 }] })
  const [cwd, payload] = JSON.parse(readFileSync(seen, "utf8"))
  assert.equal(cwd, realpathSync(project))
  assert.deepEqual(JSON.parse(payload), {
    hook_event_name: "tool.execute.before",
    tool: "bash",
    args: { command: "ls", "é\u2028": [1, null, { a: -1.5 }] },
    cwd: project,
    session: "ses_1",
    call_id: "call_1",
  })
})

test("changed arguments take the place of the call's, in the same object", async () => {
  const args = { command: "git push", description: "Push" }
  const answer = '{"verdict":"allow","updated_args":{"command":"git push --dry-run","__proto__":{"x":1}}}'
  assert.equal(await (await plugin(answering(answer)))(args), args)
  assert.deepEqual(Object.keys(args), ["command", "__proto__"])
  assert.equal(args.command, "git push --dry-run")
  assert.equal(args.x, undefined)
})

const said = [
  ["a denial, with its reason", '{"verdict":"deny","reason":"Not here."}', 0, /^Not here\.$/],
  ["a denial without a reason", '{"verdict":"deny"}', 0, /^Denied by the policy\.$/],
  ["a denial and an exit status", '{"verdict":"deny","reason":"No policy."}', 2, /^No policy\.$/],
  ["a question, with how to approve it", '{"verdict":"ask","reason":"run `policy approve 12`"}', 0, /^run `policy approve 12`$/],
  ["a question that does not say how", '{"verdict":"ask","reason":" "}', 0, /policy approve ID/],
]
for (const [name, text, exit, message] of said) {
  test(`${name}, throws`, async () => {
    await assert.rejects((await plugin(answering(text, exit)))({ command: "ls" }), { message })
  })
}

const none = [
  ["nothing", "", 0],
  ["no JSON", "allow", 0],
  ["JSON and more", '{"verdict":"allow"} {"verdict":"allow"}', 0],
  ["half an answer", '{"verdict":"all', 0],
  ["a list", '[{"verdict":"allow"}]', 0],
  ["null", "null", 0],
  ["a text", '"allow"', 0],
  ["no verdict", '{"decision":"allow"}', 0],
  ["another verdict", '{"verdict":"ALLOW"}', 0],
  ["a verdict that is none", '{"verdict":["allow"]}', 0],
  ["a verdict of the prototype", '{"__proto__":{"verdict":"allow"}}', 0],
  ["arguments that are no object", '{"verdict":"allow","updated_args":[]}', 0],
  ["arguments that are null", '{"verdict":"allow","updated_args":null}', 0],
  ["an allow of a command that failed", '{"verdict":"allow"}', 1],
  ["an allow and a panic's status", '{"verdict":"allow"}', 101],
  ["no answer and status 2", "", 2],
]
for (const [name, text, exit] of none) {
  test(`${name} is no answer and throws`, async () => {
    const args = { command: "ls" }
    await assert.rejects((await plugin(answering(text, exit)))(args), { message: /not run: its answer is none \(exit \d/ })
    assert.deepEqual(args, { command: "ls" })
  })
}

test("bytes that are no text throw", async () => {
  await assert.rejects((await plugin(script(`process.stdout.write(Buffer.from('{"verdict":"allow","x":"\\xff"}', "latin1"))`)))({}), /its answer is none/)
})

test("a command that says allow and is killed throws", async () => {
  const command = script(`process.stdout.write('{"verdict":"allow"}', () => process.kill(process.pid, "SIGKILL"))`)
  await assert.rejects((await plugin(command))({}), /exit SIGKILL/)
})

test("what the command says of its failure is told", async () => {
  await assert.rejects((await plugin(script(`console.error("no such policy"); process.exit(2)`)))({}), /exit 2: no such policy/)
})

test("a command that is missing, or no program, throws", async () => {
  await assert.rejects((await plugin([join(root, "nowhere"), "hook", "opencode"]))({}), /could not be started/)
  writeFileSync(join(root, "text"), "no program")
  await assert.rejects((await plugin([join(root, "text")]))({}), /could not be started/)
})

test("a command that does not read its input can answer", async () => {
  const args = { content: "x".repeat(4_000_000) }
  await (await plugin(script(`console.log('{"verdict":"allow"}'); process.exit(0)`)))(args)
})

test("a command that hangs is ended with all that it started, and throws", async () => {
  const pids = join(root, "pids")
  const command = script(`import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" })
writeFileSync("${pids}", JSON.stringify([process.pid, child.pid]))
console.log('{"verdict":"allow"}')
setInterval(() => {}, 1000)`)
  const started = Date.now()
  await assert.rejects((await plugin(command, { deadline: 1500 }))({}), /did not answer within 1500 ms/)
  assert.ok(Date.now() - started < 5000)
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const pid of JSON.parse(readFileSync(pids, "utf8"))) assert.ok(!alive(pid), `${pid} lives on`)
})

/** A process that ended and that nobody has asked for yet does not count. */
function alive(pid) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

test("a command that leaves something behind, which holds on to the output, throws in time", async () => {
  const command = script(`import { spawn } from "node:child_process"
spawn(process.execPath, ["-e", "setTimeout(() => {}, 20000)"], { stdio: "inherit" }).unref()
console.log('{"verdict":"allow"}')
process.exit(0)`)
  await assert.rejects((await plugin(command, { deadline: 1500 }))({}), /did not answer/)
})

const cyclic = {}
cyclic.self = cyclic
let wide = { a: 1 }
for (let i = 0; i < 60; i++) wide = { a: wide, b: wide }
const noJson = [
  ["NaN", { n: NaN }],
  ["a BigInt", { n: 1n }],
  ["a function", { f() {} }],
  ["a symbol", { [Symbol("s")]: 1 }],
  ["a getter", { get command() { return "ls" } }],
  ["a Proxy", { p: new Proxy({}, {}) }],
  ["a Date", { d: new Date(0) }],
  ["a Map", { m: new Map() }],
  ["toJSON", { toJSON: () => ({}) }],
  ["a cycle", cyclic],
  ["a hole", { list: [, 1] }],
  ["what is very wide", wide],
  ["an instance", new (class Args {})()],
  ["a hidden property", Object.defineProperty({}, "command", { value: "ls" })],
  ["a list", []],
  ["a text", "ls"],
]
for (const [name, args] of noJson) {
  test(`arguments with ${name} throw, and nothing is asked`, async () => {
    await assert.rejects((await plugin(answering('{"verdict":"allow"}')))(args), /not run: (an argument|the arguments)/)
  })
}

test("arguments that change while the policy is asked throw", async () => {
  const args = { command: "ls" }
  const asked = (await plugin(answering('{"verdict":"allow"}')))(args)
  args.command = "rm -rf x"
  await assert.rejects(asked, /the arguments changed/)
})

test("a call without arguments is asked about, too", async () => {
  assert.equal(await (await plugin(answering('{"verdict":"allow"}')))(undefined), undefined)
  await assert.rejects((await plugin(answering('{"verdict":"allow","updated_args":{"a":1}}')))(undefined), /no arguments that could be changed/)
  await assert.rejects((await plugin(answering('{"verdict":"deny","reason":"no"}')))(undefined), { message: "no" })
})

test("arguments that cannot be changed throw", async () => {
  const args = Object.freeze({ command: "ls" })
  await assert.rejects((await plugin(answering('{"verdict":"allow","updated_args":{"command":"pwd"}}')))(args), TypeError)
})

/** A folder with a package `tool-policy` whose `hook` is this text. */
function packaged(folder, hook) {
  const at = join(folder, "node_modules", "tool-policy")
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, "package.json"), '{"name":"tool-policy","type":"module","exports":"./index.js"}')
  writeFileSync(join(at, "index.js"), `export const hook = ${hook}`)
  return folder
}

const MISSING = [join(root, "nowhere"), "hook", "opencode", "--policy", "p.toml"]

test("a package outside the project is asked in place of the command", async () => {
  const folder = packaged(mkdtempSync(join(root, "user-")), `(host, options, payload, folder) => {
    const { args } = JSON.parse(payload)
    if (args.command === "which") return { stdout: JSON.stringify({ verdict: "deny", reason: [host, ...options, folder].join(" ") }), exit: 0 }
    if (args.command === "nothing") return null
    if (args.command === "throw") throw new Error("broken")
    if (args.command === "silent") return { stdout: "", exit: 0 }
    return { stdout: '{"verdict":"allow"}', exit: 0 }
  }`)
  const directory = mkdtempSync(join(root, "project-"))
  const ask = await plugin(MISSING, { folder, directory })
  await ask({ command: "ls" })
  await assert.rejects(ask({ command: "which" }), { message: `opencode --policy p.toml ${directory}` })
  await assert.rejects(ask({ command: "throw" }), /broken/)
  await assert.rejects(ask({ command: "silent" }), /its answer is none/)
  await assert.rejects(ask({ command: "nothing" }), TypeError)
})

test("a package inside the project is not: the agent may have written it", async () => {
  const allows = `() => ({ stdout: '{"verdict":"allow"}', exit: 0 })`
  const project = packaged(mkdtempSync(join(root, "project-")), allows)
  const folder = join(project, ".opencode", "plugin")
  mkdirSync(folder, { recursive: true })
  await assert.rejects((await plugin(MISSING, { folder, directory: project }))({}), /could not be started/)
  const below = join(project, "below")
  await assert.rejects((await plugin(MISSING, { folder, directory: below, worktree: project }))({}), /could not be started/)
  // Nor where only a link to the project, or a link in it, is in the way.
  const linked = join(root, `link-${(made += 1)}`)
  symlinkSync(project, linked)
  await assert.rejects((await plugin(MISSING, { folder, directory: linked }))({}), /could not be started/)
  const outside = packaged(mkdtempSync(join(root, "elsewhere-")), allows)
  const other = mkdtempSync(join(root, "project-"))
  symlinkSync(join(outside, "node_modules"), join(other, "node_modules"))
  assert.ok(existsSync(join(other, "node_modules", "tool-policy", "index.js")))
  await assert.rejects((await plugin(MISSING, { folder: other, directory: other }))({}), /could not be started/)
})

test("a package without `hook` is passed over", async () => {
  const folder = packaged(mkdtempSync(join(root, "user-")), "undefined")
  await assert.rejects((await plugin(MISSING, { folder, directory: "/elsewhere" }))({}), /could not be started/)
})
