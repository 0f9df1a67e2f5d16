// The npm SDK's client behind `policy mcp`: client.mjs (small|files|everything) -- SERVER…
import fs from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [kind, ...rest] = process.argv.slice(2);
let failed = 0;
const check = (what, ok, more) => {
  console.log(ok ? "ok    " : "FAILED", what, ok ? "" : JSON.stringify(more));
  if (!ok) failed = 1;
};
const text = (result) => (result.content ?? []).map((c) => c.text ?? "").join("\n");

let asked = [];
let action = "accept";
async function connected(capabilities) {
  const client = new Client({ name: "e2e", version: "1" }, { capabilities });
  if (capabilities.elicitation) {
    client.setRequestHandler(ElicitRequestSchema, async (request) => {
      asked.push(request.params.message);
      return { action, ...(action === "accept" ? { content: { decision: "allow" } } : {}) };
    });
  }
  if (capabilities.sampling) {
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      model: "none", role: "assistant", content: { type: "text", text: "sampled" },
    }));
  }
  const transport = new StdioClientTransport({
    command: process.env.POLICY_BIN, args: ["mcp", "--server", kind, ...rest], env: process.env, stderr: "ignore",
  });
  await client.connect(transport);
  return client;
}
const call = (client, name, args, options) => client.callTool({ name, arguments: args }, undefined, options);

const kinds = {
  async small() {
    const client = await connected({ elicitation: { form: {} } });
    await client.listTools();
    check("an allowed call runs", text(await call(client, "echo", { text: "hi" })) === "echo hi");
    const denied = await call(client, "send", { text: "x" });
    check("a denied call does not, though it has an output schema", denied.isError && text(denied).includes("Nothing leaves."), denied);
    check("an approved call runs", text(await call(client, "wipe", { text: "x" })) === "wiped x" && asked.length === 1, asked);
    await client.close();
  },
  async files() {
    const file = path.resolve("new.txt");
    fs.writeFileSync("a.txt", "hello");
    const client = await connected({ elicitation: {} });
    const { tools } = await client.listTools();
    check("the tools are listed", tools.length > 10 && tools.some((t) => t.name === "write_file"), tools.length);
    check("a read runs", text(await call(client, "read_text_file", { path: path.resolve("a.txt") })) === "hello");
    const outside = await call(client, "write_file", { path: "/tmp/e2e-outside.txt", content: "x" });
    check("a write outside is denied", outside.isError && text(outside).includes("inside the project"), outside);
    action = "decline";
    const declined = await call(client, "write_file", { path: file, content: "x" });
    check("a declined write does not run", declined.isError && !fs.existsSync(file), declined);
    action = "accept";
    const written = await call(client, "write_file", { path: file, content: "x" });
    check("an approved write runs", !written.isError && fs.readFileSync(file, "utf8") === "x", written);
    const cased = await call(client, "write_file", { Path: "/tmp/e2e-outside.txt", path: file, content: "x" }).catch((e) => e);
    check("an argument in another case is refused", cased instanceof Error && cased.code === -32602, cased);
    await client.close();
  },
  async everything() {
    const client = await connected({ elicitation: { form: {} }, sampling: {}, roots: {} });
    const { tools } = await client.listTools();
    const has = (name) => tools.some((t) => t.name === name);
    check("the tools are listed", has("echo") && has("get-env"), tools.map((t) => t.name));
    check("an allowed call runs", text(await call(client, "echo", { message: "hi" })).includes("hi"));
    const env = await call(client, "get-env", {});
    check("a denied call does not", env.isError && text(env).includes("Nothing leaves."), env);
    const sum = await call(client, "get-sum", { a: 2, b: 3 });
    check("an approved call runs", text(sum).includes("5") && asked.length === 1, sum);
    check("prompts and resources pass", (await client.listPrompts()).prompts.length > 0 && (await client.listResources()).resources.length > 0);
    let steps = 0;
    const long = await call(client, "trigger-long-running-operation", { duration: 1, steps: 4 }, { onprogress: () => steps++ });
    check("progress passes", !long.isError && steps >= 3, { long, steps });
    if (has("trigger-sampling-request")) {
      const sampled = await call(client, "trigger-sampling-request", { prompt: "x", maxTokens: 5 });
      check("the server's requests pass, and their answers", text(sampled).includes("sampled"), sampled);
    }
    if (has("trigger-elicitation-request")) {
      const before = asked.length;
      const result = await call(client, "trigger-elicitation-request", {});
      check("the server's own questions pass", asked.length === before + 1 && !result.isError, result);
    }
    const stop = new AbortController();
    setTimeout(() => stop.abort("enough"), 300);
    const aborted = await call(client, "trigger-long-running-operation", { duration: 20, steps: 4 }, { signal: stop.signal }).catch((e) => e);
    check("a call is cancelled", aborted instanceof Error, aborted);
    check("and the connection lives on", text(await call(client, "echo", { message: "still" })).includes("still"));
    await client.close();
  },
};
const timer = setTimeout(() => { console.log("FAILED it does not end"); process.exit(1); }, 60_000);
await kinds[kind]();
clearTimeout(timer);
process.exit(failed);
