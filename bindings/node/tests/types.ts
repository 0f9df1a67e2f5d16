// The types, by use: `tsc --strict` accepts this, and refuses each line below an expected error.
import { Policy, PolicyError, check, hook } from "tool-policy"
import type { Call, CheckReport, Explanation, Finding, Human, HookAnswer, TurnOutcome, Verdict } from "tool-policy"

export function judged(policy: Policy, call: Call): Record<string, unknown> | string {
  const verdict: Verdict = policy.evaluate(call)
  switch (verdict.verdict) {
    case "allow":
      return verdict.updated_args ?? {}
    case "deny":
      // @ts-expect-error: a denial changes nothing
      verdict.updated_args
      return verdict.reason ?? ""
    case "ask":
      return `${verdict.question} (${verdict.timeout_s} s, ${verdict.digest})`
    default: {
      const never: never = verdict
      return never
    }
  }
}

const sync: Human = (question) => question.timeout_s > 1
const later: Human = async ({ question, signal }) => (signal.aborted ? "timeout" : question.includes("x") ? "yes" : false)
// @ts-expect-error: no answer
const wrong: Human = () => "maybe"
// @ts-expect-error: no answer, later
const wrongLater: Human = async () => undefined

export async function used(): Promise<string[]> {
  const policy: Policy = Policy.parse("version: 1", "yaml", "p.yaml")
  Policy.load(new URL("file:///policy.toml"))
  // @ts-expect-error: no format
  Policy.parse("", "xml")
  // @ts-expect-error: policies are loaded
  new Policy()
  // @ts-expect-error: a call has a tool
  policy.evaluate({ args: {} })
  // @ts-expect-error: an unknown key
  policy.evaluate({ tool: "x", arg: {} })
  const frozen: readonly Call[] = [{ tool: "x", args: { a: [1] }, hints: { read_only: true }, mcp: { server: "s", tool: "t" }, id: null }]
  const turn: TurnOutcome = await policy.turn(frozen, sync)
  await policy.turn([], later)
  await policy.turn([], null)
  const told: Explanation = policy.explain({ tool: "x" })
  const report: CheckReport = check("policy.toml")
  const answer: HookAnswer = hook("opencode", ["--deadline", "2"], "{}", "/")
  try {
    Policy.load("policy.toml")
  } catch (e) {
    if (e instanceof PolicyError) return e.findings.map((f: Finding) => `${f.code} ${f.labels[0]?.start.line}`)
  }
  return [policy.digest, policy.description ?? "", told.steps[0]?.why ?? "", String(report.ok), answer.stdout, ...turn.outcomes.map((o) => o.verdict?.verdict ?? o.outcome)]
}

void [wrong, wrongLater]
