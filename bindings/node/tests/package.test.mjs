// The package as a host uses it.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, test } from "node:test"
import { fileURLToPath, pathToFileURL } from "node:url"
import vm from "node:vm"
import { Policy, PolicyError, check, hook } from "tool-policy"

const require = createRequire(import.meta.url)
const home = fileURLToPath(new URL("..", import.meta.url))
const EXAMPLE = join(home, "../../docs/example.toml")
const root = mkdtempSync(join(tmpdir(), "policy-node-"))
after(() => rmSync(root, { recursive: true, force: true }))

const ALLOW_ALL = Policy.parse("version = 1\n[[rules]]\nallow_by_default = true")
const ASK_ALL = Policy.parse("version = 1\n[[rules]]\ndecide_by_human = { timeout = \"1s\" }")

test("a policy is loaded from a file, by its path or URL", () => {
  for (const path of [EXAMPLE, pathToFileURL(EXAMPLE)]) {
    const policy = Policy.load(path)
    assert.match(policy.digest, /^sha256:[0-9a-f]{64}$/)
    assert.equal(policy.evaluate({ tool: "delete_x" }).decided_by.file, EXAMPLE)
  }
})

test("require and import give the same", () => {
  assert.equal(require("tool-policy").Policy, Policy)
})

test("a policy that does not load tells everything that is wrong", () => {
  assert.throws(
    () => Policy.parse('version = 1\n[[rules]]\ndeny = ["x"]\n[[rules]]\nallow_by_default = "yes"', "toml", "p.toml"),
    (e) => e instanceof PolicyError && e instanceof Error && e.findings.length >= 2 && e.message.split("\n").length >= 2 && /^p\.toml:3:/.test(e.message),
  )
  assert.throws(() => Policy.load(join(root, "nowhere.toml")), PolicyError)
  assert.throws(() => Policy.load("a\0b.toml"), PolicyError)
  for (const wrong of [undefined, null, 3, {}, "\ud800.toml"]) assert.throws(() => Policy.load(wrong), TypeError)
  for (const wrong of [undefined, null, 3, "\ud800"]) assert.throws(() => Policy.parse(wrong), TypeError)
  assert.throws(() => Policy.parse("version = 1", "xml"), TypeError)
  assert.throws(() => Policy.parse("version = 1", "toml", {}), TypeError)
  for (const wrong of [undefined, {}, ALLOW_ALL]) assert.throws(() => new Policy(wrong), TypeError)
})

test("a verdict is the program's, key by key", (t) => {
  const program = join(home, "../../target/debug/policy")
  const calls = [
    { tool: "Bash", host: "claude-code", args: { command: "cargo test && rm -rf target" }, id: "call_1" },
    { tool: "Write", host: "claude-code", args: { file_path: "/etc/hosts", content: "é \u2028 😀" } },
    { tool: "x", args: { n: [1, 0, 1.5, 1e21, 5e-324, 2 ** 53, true, null, { __proto__: null, a: "b" }] } },
    { tool: "x", hints: { read_only: true, destructive: true } },
    { tol: "x" },
  ]
  const ran = spawnSync(program, ["eval", "--policy", EXAMPLE, "-"], { input: calls.map((c) => JSON.stringify(c)).join("\n"), encoding: "utf8" })
  if (ran.error) return t.skip("the program is not built")
  const policy = Policy.load(EXAMPLE)
  const lines = ran.stdout.trimEnd().split("\n")
  assert.equal(lines.length, calls.length)
  calls.forEach((call, i) => assert.equal(JSON.stringify(policy.evaluate(call)), lines[i]))
})

const cycle = { tool: "x", args: {} }
cycle.args.deep = [{ cycle }]
let deep = {}
for (let i = 0; i < 200; i++) deep = { deep }
let wide = { a: 1 }
for (let i = 0; i < 60; i++) wide = { a: wide, b: wide }
const args = (value) => ({ tool: "x", args: value })
const refused = [
  ["NaN", args({ n: NaN }), "`call.args.n` is NaN"],
  ["infinity", args({ n: [0, -Infinity] }), "`call.args.n[1]` is -Infinity"],
  ["a BigInt", args({ n: 1n }), "`call.args.n` is a BigInt; hand over a number or a string"],
  ["undefined", { tool: "x", cwd: undefined }, "`call.cwd` is undefined; leave it out, or say null"],
  ["a hole", args({ list: [1, , 2] }), "`call.args.list[1]` is undefined; leave it out, or say null"],
  ["a function", args({ f() {} }), "`call.args.f` is a function"],
  ["a symbol", args({ s: Symbol("s") }), "`call.args.s` is a symbol"],
  ["a key that is a symbol", args({ [Symbol("s")]: 1 }), "`call.args` has a key that is a symbol, Symbol(s)"],
  ["a getter", args({ get path() { throw new Error("never called") } }), "`call.args.path` is a getter or setter; hand over its value"],
  ["a getter in an array", args({ l: Object.defineProperty([1], 0, { get: () => 1 }) }), "`call.args.l[0]` is a getter or setter; hand over its value"],
  ["a hidden property", args(Object.defineProperty({}, "path", { value: 1 })), "`call.args.path` is a hidden property (not enumerable)"],
  ["a Proxy", args({ p: new Proxy({}, { get() { throw new Error("never called") } }) }), "`call.args.p` is a Proxy"],
  ["a Proxy as the call", new Proxy({ tool: "x" }, {}), "`call` is a Proxy"],
  ["a revoked Proxy", args({ p: (() => { const r = Proxy.revocable([], {}); r.revoke(); return r.proxy })() }), "`call.args.p` is a Proxy"],
  ["a prototype that is a Proxy", args(Object.create(new Proxy({}, {}))), "`call.args` is an instance of something; hand over a plain object"],
  ["inherited arguments", args(Object.create({ path: "x" })), "`call.args` is an instance of something; hand over a plain object"],
  ["a prototype without one", args(Object.create(Object.create(null, { path: { value: "x", enumerable: true } }))), /hand over a plain object/],
  ["a Date", args({ d: new Date(0) }), "`call.args.d` is an instance of Date; hand over a plain object"],
  ["a Map", args({ m: new Map() }), "`call.args.m` is an instance of Map; hand over a plain object"],
  ["bytes", args({ b: new Uint8Array(2) }), "`call.args.b` is an instance of Uint8Array; hand over a plain object"],
  ["an instance", args(new (class Args { path = "x" })()), "`call.args` is an instance of Args; hand over a plain object"],
  ["a boxed text", args({ t: new String("x") }), "`call.args.t` is an instance of String; hand over a plain object"],
  ["toJSON", args({ toJSON: () => ({}) }), "`call.args.toJSON` is a function"],
  ["an array with more", args({ l: Object.assign([1], { extra: 1 }) }), "`call.args.l` is an array with properties of its own"],
  ["a cycle", cycle, "`call.args.deep[0].cycle` contains itself"],
  ["half a character", args({ t: "\ud800" }), "`call.args.t` is a string with half a character (a lone surrogate)"],
  ["half a character in a key", args({ "a\udc00": 1 }), /is a key with half a character/],
  ["what is very deep", args(deep), /is nested deeper than 100$/],
  ["what is very wide", args(wide), /has more than 1000000 values$/],
  ["a text", "ls", 'a call is an object such as {"tool": "read_file", "args": {}}, not a string'],
  ["nothing", undefined, "`call` is undefined; leave it out, or say null"],
  ["an unknown key", { tool: "x", arg: {} }, /unknown key `arg`.*did you mean `args`/],
  ["arguments that are a list", { tool: "x", args: [] }, /`args` must be an object/],
  ["a made-up disk", { tool: "x", fs: {} }, /made-up file tree/],
]
for (const [name, call, reason] of refused) {
  test(`${name}: a denial that says why`, async () => {
    const verdict = ALLOW_ALL.evaluate(call)
    assert.equal(verdict.verdict, "deny")
    assert.equal(verdict.cause, "error")
    assert.equal(verdict.policy, ALLOW_ALL.digest)
    if (reason instanceof RegExp) assert.match(verdict.reason, reason)
    else assert.equal(verdict.reason, reason)
    assert.deepEqual(ALLOW_ALL.explain(call).verdict, verdict)
    const turn = await ALLOW_ALL.turn([{ tool: "fine", id: "1" }, call], () => true)
    assert.deepEqual(turn.outcomes.map((o) => o.outcome), name === "a made-up disk" ? ["run", "denied"] : ["denied", "denied"])
  })
}

test("what JSON can say arrives as it is", () => {
  const value = { "": 0, "__proto__x": [-0, 1e21, 2 ** 53 + 2, 5e-324], é: "\u2028\0😀", nested: { list: [[], {}] } }
  const own = JSON.parse('{"__proto__": {"tool": "x"}, "2": 1, "1": 2}')
  const set = Policy.parse("version = 1\n[[rules]]\nallow_by_default = true\nset = { extra = 1 }")
  for (const args of [value, own, vm.runInNewContext("({a: [1, {b: null}]})"), Object.assign(Object.create(null), { a: 1 }), {}]) {
    const got = set.evaluate({ tool: "x", args }).updated_args
    assert.deepStrictEqual(Object.keys(got), [...Object.keys(args), "extra"])
    for (const key of Object.keys(args)) assert.deepEqual(JSON.stringify(got[key]), JSON.stringify(args[key]))
    assert.ok(Object.getPrototypeOf(got) === Object.prototype)
  }
  assert.ok(Object.is(set.evaluate({ tool: "x", args: { n: -0 } }).updated_args.n, -0))
})

test("a number that JavaScript would round is not handed back", async () => {
  const set = Policy.parse("version = 1\n[[rules]]\nallow_by_default = true\nset = { id = 9007199254740993 }")
  assert.equal(set.evaluate({ tool: "x" }).cause, "error")
  assert.equal(set.explain({ tool: "x" }).verdict.verdict, "deny")
  assert.deepEqual((await set.turn([{ tool: "x" }])).outcomes[0].outcome, "denied")
})

const answers = [
  ["true", () => true, "run", "human_yes"],
  ["yes", () => "yes", "run", "human_yes"],
  ["a promise of yes", async () => "yes", "run", "human_yes"],
  ["a thenable of yes", () => ({ then: (f) => f(true) }), "run", "human_yes"],
  ["false", () => false, "denied", "human_no"],
  ["no", async () => "no", "denied", "human_no"],
  ["timeout", () => "timeout", "denied", "human_timeout"],
  ["no_human", () => "no_human", "denied", "no_human"],
  ["a promise that never ends", () => new Promise(() => {}), "denied", "human_timeout"],
  ["a yes that comes too late", () => new Promise((f) => setTimeout(f, 1300, true)), "denied", "human_timeout"],
  ["a yes after a long wait that blocked", () => { const end = Date.now() + 2300; while (Date.now() < end); return true }, "denied", "human_timeout"],
  ["nothing", () => {}, "denied", "error"],
  ["null", () => null, "denied", "error"],
  ["one", () => 1, "denied", "error"],
  ["YES", () => "YES", "denied", "error"],
  ["a boxed true", () => new Boolean(true), "denied", "error"],
  ["a list with yes", () => ["yes"], "denied", "error"],
  ["half a character", () => "\ud800", "denied", "error"],
  ["a Proxy", () => new Proxy({}, { get() { throw new Error("p") } }), "denied", "error"],
  ["a throw", () => { throw new Error("broken") }, "denied", "error"],
  ["a throw of nothing", () => { throw undefined }, "denied", "error"],
  ["a throw of what throws", () => { throw Object.defineProperty(new Error(), "message", { get() { throw 1 } }) }, "denied", "error"],
  ["a rejection", () => Promise.reject(new Error("broken")), "denied", "error"],
  ["a then that throws", () => ({ get then() { throw new Error("t") } }), "denied", "error"],
  ["no function", "yes", "denied", "error"],
  ["nobody", undefined, "denied", "no_human"],
  ["null for nobody", null, "denied", "no_human"],
]
for (const [name, human, outcome, cause] of answers) {
  test(`the person: ${name}`, { concurrency: true }, async () => {
    const turn = await ASK_ALL.turn([{ tool: "x" }], human)
    assert.equal(turn.outcomes[0].outcome, outcome)
    assert.equal(turn.outcomes[0].verdict.cause, cause)
    if (outcome === "denied") assert.ok(turn.outcomes[0].reason)
  })
}

test("the question says what is asked, once a call, in order, and its signal ends with it", async () => {
  const seen = []
  const turn = await ASK_ALL.turn([{ tool: "a", id: "1" }, { tool: "b", id: "2", args: { x: 1 } }], async (question) => {
    assert.equal(question.signal.aborted, false)
    seen.push(question)
    await new Promise((f) => setTimeout(f, 10))
    return true
  })
  assert.deepEqual(seen.map((q) => [q.question, q.call_id, q.timeout_s]), [["Run a()?", "1", 1], ["Run b(x=1)?", "2", 1]])
  assert.ok(seen.every((q) => q.signal.aborted && q.digest.startsWith("sha256:")))
  assert.deepEqual(turn.questions, ["Run a()?", "Run b(x=1)?"])
  assert.deepEqual(turn.answers.map((a) => a.answer), ["yes", "yes"])
})

test("a person who says no stops the turn, and is asked no more", async () => {
  let asked = 0
  const turn = await ASK_ALL.turn([{ tool: "a" }, { tool: "b" }], () => (asked += 1) > 5)
  assert.deepEqual(turn.outcomes.map((o) => o.outcome), ["denied", "cancelled"])
  assert.equal(asked, 1)
  assert.equal(turn.stopped, 0)
})

test("turns run side by side", async () => {
  const turns = Array.from({ length: 50 }, (_, i) => ASK_ALL.turn([{ tool: "x", id: String(i) }], async () => i % 2 === 0))
  ;(await Promise.all(turns)).forEach((turn, i) => assert.equal(turn.outcomes[0].outcome, i % 2 === 0 ? "run" : "denied"))
})

test("calls that change while a person thinks are judged as they were", async () => {
  const call = { tool: "x", args: { path: "a" } }
  const turn = await ASK_ALL.turn([call, call], ({ question }) => {
    call.args.path = "b"
    return question === 'Run x(path="a")?'
  })
  assert.deepEqual(turn.outcomes.map((o) => o.outcome), ["run", "run"])
})

test("what is no list of calls is rejected", async () => {
  for (const wrong of [undefined, null, {}, "x", new Proxy([], {}), new Array(2 ** 31)]) await assert.rejects(ALLOW_ALL.turn(wrong), TypeError)
  const getter = Object.defineProperty([], 0, { get: () => ({ tool: "x" }) })
  assert.equal((await ALLOW_ALL.turn(getter)).outcomes[0].outcome, "denied")
  assert.deepEqual((await ALLOW_ALL.turn([])).outcomes, [])
})

test("explain tells the walk", () => {
  const told = Policy.load(EXAMPLE).explain({ tool: "Write", host: "claude-code", args: { file_path: "/etc/hosts", content: "" } })
  assert.equal(told.call, 'Write(file_path="/etc/hosts", content="")')
  assert.deepEqual(told.steps.map((s) => [s.rule.rule, s.outcome]), [["no-deletes", "no_match"], ["write-inside", "match"]])
  assert.deepEqual(told.parts, [{ kind: "write", text: "/etc/hosts" }])
  assert.deepEqual(told.verdict, Policy.load(EXAMPLE).evaluate({ tool: "Write", host: "claude-code", args: { file_path: "/etc/hosts", content: "" } }))
})

test("check finds what is wrong", () => {
  assert.deepEqual(check(EXAMPLE), { ok: true, rules: 5, errors: 0, warnings: 0, tests: { passed: 5, failed: 0 }, findings: [] })
  const file = (text) => {
    const path = join(root, "policy.toml")
    writeFileSync(path, text)
    return check(path)
  }
  const failing = file('version = 1\n[[rules]]\nallow_by_default = true\n[[tests]]\ncall = { tool = "x" }\nexpect = "deny"\n')
  assert.equal(failing.ok, false)
  assert.deepEqual(failing.tests, { passed: 0, failed: 1 })
  assert.ok(failing.findings.some((f) => f.severity === "error" && f.labels[0].start.line === 6))
  const broken = file("version = 1\nrule = 1\n")
  assert.equal(broken.ok, false)
  assert.ok(broken.errors > 0)
  assert.equal(check(join(root, "nowhere.toml")).ok, false)
  assert.throws(() => check(undefined), TypeError)
})

test("a panic stays inside", () => {
  const native = require("../native.js")
  assert.throws(() => native.panics(), /on purpose/)
  assert.equal(ALLOW_ALL.evaluate({ tool: "x" }).verdict, "allow")
})

test("the hook answers as the program does", (t) => {
  const project = mkdtempSync(join(root, "project-"))
  writeFileSync(join(project, "policy.toml"), 'version = 1\n[[rules]]\ndeny_by_name = ["edit"]\nreason = "Not here."\n[[rules]]\nallow_by_name = ["read"]\n[[rules]]\ndecide_by_human = true\n')
  process.env.POLICY_STATE_DIR = mkdtempSync(join(root, "state-"))
  const program = join(home, "../../target/debug/policy")
  const payload = (tool, args = {}) => JSON.stringify({ hook_event_name: "tool.execute.before", tool, args, cwd: project, session: "s", call_id: "c" })
  const said = (text, options = [], folder = project) => {
    const got = hook("opencode", options, text, folder)
    const ran = spawnSync(program, ["hook", "opencode", ...options], { cwd: folder, input: text, encoding: "utf8" })
    if (!ran.error) assert.deepEqual(got, { stdout: ran.stdout, stderr: ran.stderr, exit: ran.status })
    return JSON.parse(got.stdout)
  }
  assert.deepEqual(said(payload("read", { filePath: "a" })), { verdict: "allow" })
  assert.match(said(payload("edit", { filePath: "a" })).reason, /Not here\./)
  assert.equal(said("no JSON").verdict, "deny")
  assert.equal(said(payload("read"), [], mkdtempSync(join(tmpdir(), "policy-none-"))).verdict, "deny")
  assert.equal(said(payload("read"), ["--policy", "nowhere.toml"]).verdict, "deny")
  assert.equal(hook("opencode", ["--wrong"], payload("read"), project).stdout.includes('"deny"'), true)
  assert.equal(hook("opencode", ["--help"], payload("read"), project).stdout.includes('"deny"'), true)
  assert.equal(hook("nowhere", [], payload("read"), project).stdout.includes('"deny"'), true)
  // A person approves what it asked about, and it runs once.
  const asked = said(payload("bash", { command: "make" }))
  assert.equal(asked.verdict, "ask")
  const id = /policy approve ([0-9a-f]+)/.exec(asked.reason)[1]
  const approved = spawnSync(program, ["approve", "--yes", id], { encoding: "utf8" })
  if (approved.error) return t.skip("the program is not built")
  assert.equal(approved.status, 0, approved.stderr)
  assert.deepEqual(JSON.parse(hook("opencode", [], payload("bash", { command: "make" }), project).stdout), { verdict: "allow" })
  assert.equal(JSON.parse(hook("opencode", [], payload("bash", { command: "make" }), project).stdout).verdict, "ask")
  for (const wrong of [[1, [], "", ""], ["opencode", [1], "", ""], ["opencode", [], "\ud800", ""], ["opencode", [], "", undefined]]) assert.throws(() => hook(...wrong), TypeError)
})

test("a hook that panics or hangs refuses", () => {
  const payload = JSON.stringify({ hook_event_name: "tool.execute.before", tool: "x", args: {}, cwd: root })
  for (const [fault, reason] of [["panic", /internal error/], ["hang", /no verdict within 0\.3 seconds/]]) {
    // Only a build for tests looks at this.
    process.env.POLICY_TEST_FAULT = fault
    const answer = JSON.parse(hook("opencode", ["--deadline", "0.3"], payload, root).stdout)
    delete process.env.POLICY_TEST_FAULT
    assert.equal(answer.verdict, "deny")
    assert.match(answer.reason, reason)
  }
})

test("a host that asks the hook for days does not grow", () => {
  const project = mkdtempSync(join(root, "project-"))
  const rules = Array.from({ length: 300 }, (_, i) => `[[rules]]\nallow_by_name = ["tool_${i}_*"]\nwhen.runs = ["a * b"]\n`).join("")
  writeFileSync(join(project, "policy.toml"), `version = 1\n${rules}\n[[rules]]\nallow_by_default = true\n`)
  const payload = JSON.stringify({ hook_event_name: "tool.execute.before", tool: "x", args: {}, cwd: project })
  const ask = (times) => {
    for (let i = 0; i < times; i++) assert.equal(hook("opencode", [], payload, project).stdout, '{"verdict":"allow"}')
    return process.memoryUsage().rss
  }
  const before = ask(50)
  const grown = ask(200) - before
  assert.ok(grown < 20_000_000, `grown by ${grown} bytes`)
})

test("the types name every key of calls and verdicts, and no other", () => {
  const types = readFileSync(join(home, "index.d.ts"), "utf8")
  const schema = (name) => JSON.parse(readFileSync(join(home, `../../schema/${name}.schema.json`), "utf8"))
  const keys = (name) => {
    const body = new RegExp(`interface ${name}[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(types)[1]
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map((m) => m[1])
  }
  assert.deepEqual(keys("Call").sort(), Object.keys(schema("call").properties).sort())
  const verdict = new Set(["AnyVerdict", "Allow", "Deny", "Ask"].flatMap(keys))
  assert.deepEqual([...verdict].sort(), Object.keys(schema("verdict").properties).sort())
  assert.deepEqual(keys("TurnOutcome").sort(), Object.keys(schema("turn").properties).sort())
})

test("what the README shows runs", () => {
  const blocks = [...readFileSync(join(home, "README.md"), "utf8").matchAll(/```js\n([\s\S]*?)```/g)].map((m) => m[1])
  assert.ok(blocks.length >= 3)
  for (const block of blocks) {
    const ran = spawnSync(process.execPath, ["--input-type=module", "-"], { input: block, cwd: home, encoding: "utf8" })
    assert.equal(ran.status, 0, `${ran.stderr}\n${block}`)
  }
})
