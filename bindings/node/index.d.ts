/**
 * Judges the tool calls of an agent by a policy, before they run.
 *
 * Judging does not throw. Whatever is handed over, there is a verdict; what is no call, and every failure, is a denial with the cause `error`.
 */

/** A tool call, before it runs. Everything in it must be JSON: what is not (NaN, undefined, a getter, a Proxy) makes it no call. */
export interface Call {
  /** The tool's name as the model calls it. */
  readonly tool: string
  /** The arguments. */
  readonly args?: Readonly<Record<string, unknown>>
  /** The call's id in the host, given back as `call_id`. */
  readonly id?: string | null
  /** What the tool says of this call. What it does not say is assumed to be the worst. */
  readonly hints?: Hints | null
  /** For a tool of an MCP server: which server, and its name there. */
  readonly mcp?: { readonly server: string; readonly tool: string } | null
  /** The host program whose tool names and modes these are, such as `claude-code`. */
  readonly host?: string | null
  /** The folder that relative paths start from. Default: the workspace. */
  readonly cwd?: string | null
  /** The root folder of the project. Default: the folder of the policy file. */
  readonly workspace?: string | null
  /** How freely the host is set to run: `default`, `accept_edits`, `yolo`, or the host's own name of it. */
  readonly mode?: string | null
  /** The name of the agent or subagent that makes the call. */
  readonly agent?: string | null
  /** Variables that the host sets for the program it starts. */
  readonly env?: Readonly<Record<string, string>> | null
  /** The preview that a person would see. */
  readonly confirmation?: Confirmation | null
  /** Why the host asks. Default: derived from the mode. */
  readonly reason?: "prompt" | "policy" | null
  /** A made-up file tree, for tests of policies; judging refuses it. */
  readonly fs?: Readonly<Record<string, unknown>>
}

/** What a tool says of a call. */
export interface Hints {
  readonly read_only?: boolean | null
  readonly destructive?: boolean | null
  readonly idempotent?: boolean | null
  readonly open_world?: boolean | null
}

/** The preview that a person would see before saying yes. */
export interface Confirmation {
  readonly file_name?: string | null
  readonly file_diff?: string | null
  readonly title?: string | null
}

/** A rule that decided. */
export interface RuleRef {
  /** The rule's id: its own, or `rule-N`. */
  rule: string
  /** The rule's kind, such as `deny_by_name`. */
  kind: string
  /** Its place in the list, from 0. */
  index: number
  file?: string
  line?: number
  layer?: string
}

/** A part of a call: a program it runs, a file, a network target. */
export interface PartVerdict {
  kind: "run" | "read" | "write" | "fetch" | "call"
  text: string
  /** The bytes of the command that it is written at. */
  span?: [number, number]
  /** The id of the rule that covers or asks about it. */
  decided_by: string | null
  note?: string
}

/** What brought a verdict about. */
export type Cause =
  | "rule"
  | "possible_match"
  | "no_rule"
  | "human_yes"
  | "human_no"
  | "human_timeout"
  | "no_human"
  | "error"

interface AnyVerdict {
  /** For a denial, what the model is told; for a question, why it is asked, where that is not plain. */
  reason: string | null
  /** For a denial: the turn ends, too. */
  stop: boolean
  /** The rule that decided. */
  decided_by: RuleRef | null
  cause: Cause
  call_id: string | null
  parts: PartVerdict[]
  /** What the author of the policy should hear of. */
  warnings: string[]
  /** The digest of the policy. */
  policy: string
  /** The denial that could not be ruled out. */
  not_ruled_out?: RuleRef
  /** What a person was asked, or is to be. */
  question?: string
}

/** The call may run. */
export interface Allow extends AnyVerdict {
  verdict: "allow"
  /** The arguments to run with in place of the call's: the whole of them. */
  updated_args?: Record<string, unknown>
  /** What to tell the model about the change. */
  model_note?: string
}

/** The call may not run. */
export interface Deny extends AnyVerdict {
  verdict: "deny"
}

/** A person has to say. */
export interface Ask extends AnyVerdict {
  verdict: "ask"
  question: string
  /** How many seconds the person has. */
  timeout_s: number
  /** Binds an answer to this call and no other. */
  digest: string
  /** The arguments that it runs with after a yes. */
  updated_args?: Record<string, unknown>
  model_note?: string
}

/** The answer to one call. */
export type Verdict = Allow | Deny | Ask

/** Something to ask a person. */
export interface Question {
  question: string
  call_id: string | null
  /** How many seconds there are to answer. Without an answer by then the call is denied. */
  timeout_s: number
  digest: string
  /** Why it is asked, where the question alone does not say. */
  why: string | null
  /** Aborted when the question is over, answered or not. */
  signal: AbortSignal
}

/** What a person says. */
export type Answer = boolean | "yes" | "no" | "timeout" | "no_human"

/** Asks a person. What is no `Answer`, a throw and a rejection deny the call. */
export type Human = (question: Question) => Answer | PromiseLike<Answer>

/** What becomes of one call of a turn. */
export interface CallOutcome {
  call_id: string | null
  outcome: "run" | "denied" | "cancelled"
  /** What the model is told when it does not run. */
  reason: string | null
  /** The rule that decided; for a cancelled call, the rule that stopped the turn. */
  decided_by: RuleRef | null
  /** Absent for a cancelled call. */
  verdict?: Verdict
}

/** What came of a turn. */
export interface TurnOutcome {
  /** What becomes of each call, in order. */
  outcomes: CallOutcome[]
  /** The questions that were put, in order. */
  questions: string[]
  answers: { call_id: string | null; question: string; answer: "yes" | "no" | "timeout" | "no_human" | "error" }[]
  /** The place in its list of the rule that stopped the turn. */
  stopped: number | null
}

/** A verdict with the walk that led to it. */
export interface Explanation {
  /** The call in a line; null where it is none. */
  call: string | null
  verdict: Verdict
  /** Each rule that was asked, in that order. */
  steps: {
    rule: RuleRef
    outcome: "match" | "possible" | "no_match"
    why: string
    /** The numbers of the parts that it decided about, from 1. */
    parts: number[]
  }[]
  /** What the call would do. */
  parts: { kind: PartVerdict["kind"]; text: string }[]
}

/** A place in a text. */
export interface Position {
  byte: number
  line: number
  column: number
}

/** Something that is wrong with a policy. */
export interface Finding {
  /** A stable code, such as `E0204`. */
  code: string
  title: string
  severity: "note" | "warning" | "error"
  message: string
  labels: { file: string; start: Position; end: Position; text: string; primary: boolean }[]
  help: { text: string; replacement: { file: string; start: Position; end: Position; text: string } | null }[]
  notes: string[]
}

/** What came of checking a policy. */
export interface CheckReport {
  /** There is no error, and no test failed. */
  ok: boolean
  rules: number
  errors: number
  warnings: number
  tests: { passed: number; failed: number }
  findings: Finding[]
}

/** The format of a policy's text. */
export type Format = "toml" | "yaml" | "json"

/** Everything that is wrong with a policy; the message has a line for each. */
export class PolicyError extends Error {
  findings: Finding[]
}

/** An ordered list of rules, checked and compiled. */
export class Policy {
  private constructor()

  /**
   * Reads the policy in a file, and the files that it extends.
   * @throws {PolicyError} A policy that does not load is never an empty one.
   */
  static load(path: string | URL): Policy

  /**
   * Reads a policy from a text. It cannot extend files; its workspace is the one that calls name.
   * @param name how findings and verdicts call it
   * @throws {PolicyError}
   */
  static parse(text: string, format?: Format, name?: string): Policy

  /** `sha256:…` over the texts that it was read from. */
  get digest(): string

  /** What the policy is for, in its own words. */
  get description(): string | null

  /** Judges one call. */
  evaluate(call: Call): Verdict

  /**
   * Decides about all calls of one turn, before any of them runs. A denial that stops cancels every other call of the turn.
   * The calls are read once, when this is called: run what was judged.
   * @param human who is asked; without one, what would be asked is denied
   */
  turn(calls: readonly Call[], human?: Human | null): Promise<TurnOutcome>

  /** Judges one call and says which rules were asked, and why they matched or not. */
  explain(call: Call): Explanation
}

/** Loads, lints and tests the policy in a file. */
export function check(path: string | URL): CheckReport

/** What a hook prints, and how it ends. */
export interface HookAnswer {
  stdout: string
  stderr: string
  exit: number
}

/**
 * What the program `policy hook HOST OPTIONS` answers to a payload, without starting it: the same policies, protection and approvals.
 * @param payload what the host sends, as JSON text
 * @param folder where the host would have started it: the folder of the project
 */
export function hook(host: string, options: readonly string[], payload: string, folder: string): HookAnswer
