// Finds the native half, which is built for one platform.
"use strict"

const { existsSync } = require("node:fs")
const { join } = require("node:path")

const file = join(__dirname, `tool-policy.${process.platform}-${process.arch}.node`)
if (!existsSync(file)) {
  throw new Error(`tool-policy is not built for ${process.platform}-${process.arch}: ${file} is missing (bindings/node/run build makes it)`)
}

module.exports = require(file)
