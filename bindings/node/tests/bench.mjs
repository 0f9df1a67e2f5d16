// What a verdict costs from JavaScript.
import { performance } from "node:perf_hooks"
import { Policy } from "tool-policy"

const names = Array.from({ length: 100 }, (_, i) => `[[rules]]\nallow_by_name = ["tool_${i}_*"]\n`).join("\n")
const policy = Policy.parse(`version = 1
${names}
[[rules]]
allow_by_name = ["Bash"]
when.runs = ["git log *", "head *"]
[[rules]]
decide_by_human = true`)

const calls = [
  ["a name among 100 rules", { tool: "tool_50_x", args: {} }],
  ["the same with an argument of 10 KB", { tool: "tool_50_x", args: { content: "x".repeat(10_000) } }],
  ["a question", { tool: "other", args: { path: "a.txt" } }],
  ["git log --oneline | head -5", { tool: "Bash", host: "claude-code", args: { command: "git log --oneline | head -5" } }],
]
for (const [name, call] of calls) {
  const rounds = []
  for (let round = 0; round < 40; round++) {
    const count = 1000
    const started = performance.now()
    for (let i = 0; i < count; i++) policy.evaluate(call)
    rounds.push(((performance.now() - started) / count) * 1000)
  }
  rounds.sort((a, b) => a - b)
  console.log(`${rounds[0].toFixed(1).padStart(7)} µs a verdict, ${rounds[20].toFixed(1)} in the median round: ${name} (${policy.evaluate(call).verdict})`)
}
