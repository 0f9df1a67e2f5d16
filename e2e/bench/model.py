"""A scripted model on 127.0.0.1 that speaks what the hosts speak: Anthropic Messages, OpenAI Chat Completions and Responses, Gemini.

It keeps no state between requests: which turn it is follows from how many rounds of tool results a request carries. A turn is a list of
items: {"text": "..."} or a tool call {"name", "input"}; Codex also takes {"custom": true} (free-text input) and {"namespace": "mcp__x"}.
When the script is used up, the model says "done". Requests without tools (titles, summaries) get "ok".
"""
import gzip, json, threading, traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model:
    """Serves `turns` on a free loopback port until `close`; remembers what it was asked."""

    def __init__(self, turns, port=0):
        self.turns, self.requests, self.faults = turns, [], []
        self.lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"model": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.server.handle_error = lambda *_: self.faults.append(traceback.format_exc(limit=-3))
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def turn(self, index, has_tools):
        if not has_tools:
            return [{"text": "ok"}]
        return self.turns[index] if index < len(self.turns) else [{"text": "done"}]

    def note(self, turn, results, has_tools):
        with self.lock:
            self.requests.append({"turn": turn, "results": results, "tools": has_tools})

    @property
    def turns_asked(self):
        """How many different turns the host asked for (with tools): 1 means that it never came back after the first."""
        return len({r["turn"] for r in self.requests if r["tools"]})

    @property
    def model_saw(self):
        """The text of every tool result that the host has sent back, in order."""
        return max((r["results"] for r in self.requests), key=len, default=[])


def text_of(content):
    """The text in a tool result, whatever the protocol wraps it in."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(t for t in map(text_of, content) if t)
    if isinstance(content, dict):
        for key in ("text", "content", "output", "error"):
            if isinstance(content.get(key), (str, list, dict)):
                return text_of(content[key])
    return json.dumps(content, ensure_ascii=False)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *args):
        pass

    def reply(self, body, kind="application/json", code=200):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def events(self, events, named=True):
        """Server-sent events; OpenAI Chat leaves the names out and ends with [DONE]."""
        lines = []
        for e in events:
            lines.append((f"event: {e['type']}\n" if named else "") + f"data: {json.dumps(e)}\n\n")
        if not named:
            lines.append("data: [DONE]\n\n")
        self.reply("".join(lines).encode(), "text/event-stream")

    def do_HEAD(self):
        self.reply(b"")

    def do_GET(self):
        if "models" in self.path:
            return self.reply({"object": "list", "data": [{"id": "fake-model", "object": "model"}], "models": []})
        self.reply({})

    def do_POST(self):
        raw = self.body()
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            return self.reply({"error": "not JSON"}, code=400)
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            return self.reply({"input_tokens": 10})
        if path.endswith("/messages"):
            return self.anthropic(path, body)
        if path.endswith("/chat/completions"):
            return self.openai_chat(path, body)
        if path.endswith("/responses"):
            return self.openai_responses(path, body)
        if "enerateContent" in path:
            return self.gemini(path, body)
        self.reply({})

    def body(self):
        if (self.headers.get("transfer-encoding") or "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        raw = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            raw += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return raw

    def anthropic(self, path, body):
        results, index = [], 0
        for m in body.get("messages", []):
            if m["role"] == "user" and isinstance(m["content"], list):
                found = [c for c in m["content"] if c.get("type") == "tool_result"]
                results += [text_of(c.get("content")) for c in found]
                index += bool(found)
        tools = bool(body.get("tools"))
        self.model.note(index, results, tools)
        content = []
        for i, item in enumerate(self.model.turn(index, tools)):
            if "text" in item:
                content.append({"type": "text", "text": item["text"]})
            else:
                content.append({"type": "tool_use", "id": f"toolu_fake_{index}_{i}", "name": item["name"], "input": item["input"]})
        stop = "tool_use" if any(c["type"] == "tool_use" for c in content) else "end_turn"
        message = {"id": f"msg_{index}", "type": "message", "role": "assistant", "model": body.get("model", "fake-model"), "content": [],
                   "stop_reason": None, "stop_sequence": None,
                   "usage": {"input_tokens": 10, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}}
        if not body.get("stream"):
            return self.reply({**message, "content": content, "stop_reason": stop})
        events = [{"type": "message_start", "message": message}]
        for i, c in enumerate(content):
            if c["type"] == "text":
                start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": c["text"]}
            else:
                start, delta = {**c, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(c["input"])}
            events += [{"type": "content_block_start", "index": i, "content_block": start},
                       {"type": "content_block_delta", "index": i, "delta": delta},
                       {"type": "content_block_stop", "index": i}]
        events += [{"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 5}},
                   {"type": "message_stop"}]
        self.events(events)

    def openai_chat(self, path, body):
        messages = body.get("messages", [])
        index = sum(1 for m in messages if m["role"] == "assistant" and m.get("tool_calls"))
        tools = bool(body.get("tools"))
        self.model.note(index, [text_of(m.get("content")) for m in messages if m["role"] == "tool"], tools)
        items = self.model.turn(index, tools)
        text = "".join(i.get("text", "") for i in items) or None
        calls = [{"index": n, "id": f"call_{index}_{n}", "type": "function",
                  "function": {"name": i["name"], "arguments": json.dumps(i["input"])}} for n, i in enumerate(items) if "name" in i]
        message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
        finish = "tool_calls" if calls else "stop"
        usage = {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}
        base = {"id": f"chatcmpl-{index}", "object": "chat.completion.chunk", "created": 1, "model": body.get("model", "fake-model")}
        if not body.get("stream"):
            return self.reply({**base, "object": "chat.completion", "usage": usage,
                               "choices": [{"index": 0, "message": message, "finish_reason": finish}]})
        self.events([{**base, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                     {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
                     {**base, "choices": [], "usage": usage}], named=False)

    def openai_responses(self, path, body):
        sent = body.get("input") if isinstance(body.get("input"), list) else []
        kinds = [x.get("type", "").endswith("_output") for x in sent]
        index = sum(1 for i, is_output in enumerate(kinds) if is_output and not (i and kinds[i - 1]))
        outputs = [x for x, is_output in zip(sent, kinds) if is_output]
        tools = bool(body.get("tools")) or any(x.get("type") in ("additional_tools", "tools") or "tools" in x for x in sent)
        self.model.note(index, [text_of(x.get("output")) for x in outputs], tools)
        turn = self.model.turn(index, tools)
        items = []
        for n, i in enumerate(turn):
            ids = {"id": f"item_{index}_{n}", "status": "completed"}
            if "text" in i:
                items.append({"type": "message", **ids, "role": "assistant",
                              "content": [{"type": "output_text", "text": i["text"], "annotations": []}]})
            elif i.get("custom"):
                items.append({"type": "custom_tool_call", **ids, "call_id": f"call_{index}_{n}", "name": i["name"], "input": i["input"]})
            else:
                space = {"namespace": i["namespace"]} if i.get("namespace") else {}
                items.append({"type": "function_call", **ids, "call_id": f"call_{index}_{n}", "name": i["name"], **space,
                              "arguments": json.dumps(i["input"])})
        usage = {"input_tokens": 5, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 10}
        response = {"id": f"resp_{index}", "object": "response", "created_at": 1, "status": "in_progress",
                    "model": body.get("model", "fake-model"), "output": []}
        done = {**response, "status": "completed", "output": items, "usage": usage}
        if not body.get("stream"):
            return self.reply(done)
        events = [{"type": "response.created", "response": response}]
        for n, item in enumerate(items):
            events += [{"type": "response.output_item.added", "output_index": n, "item": item},
                       {"type": "response.output_item.done", "output_index": n, "item": item}]
        events.append({"type": "response.completed", "response": done})
        self.events([{**e, "sequence_number": n} for n, e in enumerate(events)])

    def gemini(self, path, body):
        results, index = [], 0
        for m in body.get("contents", []):
            found = [p["functionResponse"] for p in m.get("parts", []) if "functionResponse" in p]
            results += [text_of(f.get("response")) for f in found]
            index += bool(found)
        tools = bool(body.get("tools"))
        self.model.note(index, results, tools)
        parts = [{"text": i["text"]} if "text" in i else {"functionCall": {"name": i["name"], "args": i["input"]}}
                 for i in self.model.turn(index, tools)]
        answer = {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
                  "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}, "modelVersion": "fake-model"}
        if "stream" in path:
            return self.reply(f"data: {json.dumps(answer)}\n\n".encode(), "text/event-stream")
        self.reply(answer)
