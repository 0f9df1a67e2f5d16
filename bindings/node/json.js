// What JavaScript hands over, as JSON text that says the same; or why there is none.
//
// `JSON.stringify` would write NaN as null, leave out what is undefined or a function, and obey `toJSON`; a getter or a proxy could answer it
// differently than it answers the tool. Here each of these is refused, and every property is read once.
"use strict"

const { isProxy } = require("node:util/types")

/** Deeper than this nothing is read. The reader on the other side stops soon after. */
const DEEPEST = 100
/** More values than this no call has. One object that is referred to often counts as often. */
const MOST = 1_000_000

/** Says why something is no JSON, and where. */
class NotJson extends Error {}

/**
 * The value as JSON text.
 * @param {unknown} value
 * @param {string} name what the value is called in the message
 * @throws {NotJson}
 */
function toJson(value, name) {
  return write(value, { name, path: [], above: [], count: 0 })
}

/**
 * The items of an array that is nothing but a list.
 * @param {unknown} value
 * @param {string} name what the array is called in the message
 * @throws {TypeError}
 */
function items(value, name) {
  if (isProxy(value) || !Array.isArray(value)) throw new TypeError(`\`${name}\` must be an array`)
  if (value.length > MOST) throw new TypeError(`\`${name}\` has more than ${MOST} items`)
  return Array.from({ length: value.length }, (_, i) => Reflect.getOwnPropertyDescriptor(value, String(i))?.value)
}

function write(value, at) {
  at.count += 1
  if (at.count > MOST) refuse(at, `has more than ${MOST} values`)
  switch (typeof value) {
    case "string":
      return text(value, at)
    case "number":
      return number(value, at)
    case "boolean":
      return value ? "true" : "false"
    case "object":
      return value === null ? "null" : container(value, at)
    case "undefined":
      return refuse(at, "is undefined; leave it out, or say null")
    case "bigint":
      return refuse(at, "is a BigInt; hand over a number or a string")
    default:
      return refuse(at, `is a ${typeof value}`)
  }
}

function text(value, at) {
  if (!value.isWellFormed()) refuse(at, "is a string with half a character (a lone surrogate)")
  return JSON.stringify(value)
}

function number(value, at) {
  if (!Number.isFinite(value)) refuse(at, `is ${value}`)
  return Object.is(value, -0) ? "-0.0" : String(value)
}

function container(value, at) {
  // A proxy is asked nothing, not even what it is.
  if (isProxy(value)) refuse(at, "is a Proxy")
  if (at.above.includes(value)) refuse(at, "contains itself")
  if (at.above.length >= DEEPEST) refuse(at, `is nested deeper than ${DEEPEST}`)
  at.above.push(value)
  const out = Array.isArray(value) ? list(value, at) : object(value, at)
  at.above.pop()
  return out
}

function list(value, at) {
  const extra = Reflect.ownKeys(value).length - 1 - value.length
  if (extra > 0) refuse(at, "is an array with properties of its own")
  const out = []
  for (let i = 0; i < value.length; i++) {
    at.path.push(i)
    out.push(write(property(value, String(i), at), at))
    at.path.pop()
  }
  return `[${out.join(",")}]`
}

function object(value, at) {
  if (!isPlain(value)) refuse(at, `is an instance of ${className(value)}; hand over a plain object`)
  const out = []
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === "symbol") refuse(at, `has a key that is a symbol, ${String(key)}`)
    at.path.push(key)
    if (!key.isWellFormed()) refuse(at, "is a key with half a character (a lone surrogate)")
    out.push(`${JSON.stringify(key)}:${write(property(value, key, at), at)}`)
    at.path.pop()
  }
  return `{${out.join(",")}}`
}

/** The value of an own property that is nothing but a value. */
function property(of, key, at) {
  const found = Reflect.getOwnPropertyDescriptor(of, key)
  if (found === undefined) return undefined
  if (!("value" in found)) refuse(at, "is a getter or setter; hand over its value")
  if (!found.enumerable) refuse(at, "is a hidden property (not enumerable)")
  return found.value
}

/** Made by `{}`, here or in another realm, or without a prototype. */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return true
  // What stands in a prototype of somebody's own would be seen by the tool and not here.
  return (
    !isProxy(prototype) &&
    Object.getPrototypeOf(prototype) === null &&
    Object.keys(prototype).length === 0 &&
    Object.hasOwn(prototype, "hasOwnProperty") &&
    Object.hasOwn(prototype, "__defineGetter__")
  )
}

function className(value) {
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (tag !== "Object") return tag
  const prototype = Object.getPrototypeOf(value)
  const maker = isProxy(prototype) ? undefined : Reflect.getOwnPropertyDescriptor(prototype, "constructor")?.value
  return typeof maker === "function" && !isProxy(maker) && maker.name ? maker.name : "something"
}

function refuse(at, problem) {
  const path = at.path.map((step) => (typeof step === "number" ? `[${step}]` : /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`))
  throw new NotJson(`\`${at.name}${path.join("")}\` ${problem}`)
}

module.exports = { items, toJson, NotJson }
