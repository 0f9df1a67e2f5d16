// The Node package: policies judge calls before they run.
//
// Judging does not throw: whatever is handed over, whatever fails, there is a verdict, and a failure is a denial with the cause `error`. Loading throws.
"use strict"

const { fileURLToPath } = require("node:url")
const native = require("./native.js")
const { items, toJson } = require("./json.js")

/** setTimeout takes no more; what is longer would be over at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Says everything that is wrong with a policy. */
class PolicyError extends Error {
  constructor(message, findings) {
    super(message)
    this.name = "PolicyError"
    this.findings = findings
  }
}

class Policy {
  #native

  /** Policies come from `Policy.load` and `Policy.parse`. */
  constructor(made) {
    if (!(made instanceof native.NativePolicy)) throw new TypeError("a policy is made by Policy.load or Policy.parse")
    this.#native = made
  }

  static load(path) {
    return new Policy(loaded(() => native.NativePolicy.load(pathText(path))))
  }

  static parse(text, format = "toml", name = `policy.${format}`) {
    if (typeof text !== "string") throw new TypeError("the policy's text must be a string")
    if (!["toml", "yaml", "json"].includes(format)) throw new TypeError("the format must be toml, yaml or json")
    if (!text.isWellFormed()) throw new TypeError("the policy's text has half a character in it (a lone surrogate)")
    if (typeof name !== "string") throw new TypeError("the policy's name must be a string")
    return new Policy(loaded(() => native.NativePolicy.parse(name, format, text)))
  }

  get digest() {
    return this.#native.digest
  }

  get description() {
    return this.#native.description
  }

  evaluate(call) {
    try {
      return JSON.parse(this.#native.evaluate(toJson(call, "call")))
    } catch (e) {
      return refusal(e, this.#native)
    }
  }

  explain(call) {
    try {
      return JSON.parse(this.#native.explain(toJson(call, "call")))
    } catch (e) {
      return { call: null, verdict: refusal(e, this.#native), steps: [], parts: [] }
    }
  }

  async turn(calls, human) {
    const given = items(calls, "calls").map((call, i) => handedOver(call, `calls[${i}]`))
    try {
      const turn = this.#native.turn(`[${given.join(",")}]`, human !== undefined && human !== null)
      let next = JSON.parse(turn.next())
      while (next.outcome === undefined) {
        next = JSON.parse(turn.next(JSON.stringify(await answered(human, next.question))))
      }
      return next.outcome
    } catch (e) {
      return refusedTurn(refusal(e, this.#native), given.length)
    }
  }
}

/** Loads, lints and tests the policy in a file. */
function check(path) {
  return JSON.parse(native.check(pathText(path)))
}

/** What `policy hook HOST OPTIONS` answers to this payload. Whatever fails is an answer, too: the host's refusal. */
function hook(host, options, payload, folder) {
  const texts = [host, payload, folder, ...options]
  if (!texts.every((text) => typeof text === "string" && text.isWellFormed())) throw new TypeError("hook takes strings of whole characters")
  return JSON.parse(native.hook(host, options, payload, folder))
}

function pathText(path) {
  const text = path instanceof URL ? fileURLToPath(path) : path
  if (typeof text !== "string") throw new TypeError("the path of a policy must be a string or a file URL")
  if (!text.isWellFormed()) throw new TypeError("the path has half a character in it (a lone surrogate)")
  return text
}

function loaded(load) {
  try {
    return load()
  } catch (e) {
    let told
    try {
      told = JSON.parse(e.message)
    } catch {
      throw e
    }
    throw new PolicyError(told.message, told.findings)
  }
}

/** A call of a turn as the native half takes it; where it is none, why. */
function handedOver(call, name) {
  try {
    return `{"call":${toJson(call, name)}}`
  } catch (e) {
    return JSON.stringify({ problem: messageOf(e) })
  }
}

/** Asks the person, and waits as long as the question allows. Anything that is no answer is a failure, which denies. */
async function answered(human, question) {
  const withdrawn = new AbortController()
  let timer
  const timeout = new Promise((resolve) => {
    timer = setTimeout(() => resolve("timeout"), Math.min(question.timeout_s * 1000, LONGEST_TIMER_MS))
  })
  try {
    if (typeof human !== "function") return { failed: "the person must be a function that is given the question" }
    const asked = Promise.resolve(human({ ...question, signal: withdrawn.signal }))
    return said(await Promise.race([asked, timeout]))
  } catch (e) {
    return { failed: messageOf(e) }
  } finally {
    clearTimeout(timer)
    withdrawn.abort()
  }
}

function said(answer) {
  switch (answer) {
    case true:
    case "yes":
      return "yes"
    case false:
    case "no":
      return "no"
    case "timeout":
    case "no_human":
      return answer
    default:
      return { failed: `an answer is true, false, yes, no, timeout or no_human, not ${shown(answer)}` }
  }
}

function shown(answer) {
  return typeof answer === "string" ? `\`${answer.slice(0, 40).toWellFormed()}\`` : `a value of type ${answer === null ? "null" : typeof answer}`
}

/** The denial in place of a verdict that could not be had. */
function refusal(e, policy) {
  return {
    verdict: "deny",
    reason: messageOf(e),
    stop: false,
    decided_by: null,
    cause: "error",
    call_id: null,
    parts: [],
    warnings: [],
    policy: policy.digest,
  }
}

/** Nothing of the turn runs. */
function refusedTurn(verdict, count) {
  const outcome = () => ({ call_id: null, outcome: "denied", reason: verdict.reason, decided_by: null, verdict })
  return { outcomes: Array.from({ length: count }, outcome), questions: [], answers: [], stopped: null }
}

/** What was thrown may be anything, also something that throws when it is looked at. */
function messageOf(thrown) {
  try {
    const message = thrown instanceof Error ? thrown.message : thrown
    if (typeof message === "string" && message !== "") return message.toWellFormed()
  } catch {
    // Nothing can be said of it.
  }
  return "something without a message was thrown"
}

module.exports = { Policy, PolicyError, check, hook }
