"""A small MCP server on stdio. It speaks both eras: the handshake (up to 2025-11-25) and the stateless 2026-07-28, in which it refuses
`initialize` as the Python SDK's server does.

  demo_server.py FOLDER

Tools: echo(text), read-only; send(url), no hints; wipe(path), destructive. Each that runs leaves a file of its name in FOLDER.
"""
import json, os, sys

MODERN = "2026-07-28"
VERSION = "io.modelcontextprotocol/protocolVersion"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
LISTS = {"prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates"}
modern_only = False


def tool(name, description, argument, annotations=None):
    schema = {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}
    return {"name": name, "description": description, "inputSchema": schema, **({"annotations": annotations} if annotations else {})}


TOOLS = [tool("echo", "Says it again", "text", {"readOnlyHint": True, "openWorldHint": False}), tool("send", "Sends", "url"),
         tool("wipe", "Wipes", "path", {"destructiveHint": True})]


def main():
    global modern_only
    for line in sys.stdin:
        message = json.loads(line) if line.strip() else {}
        if "id" not in message or "method" not in message:
            continue
        method, params = message["method"], message.get("params") or {}
        modern = VERSION in (params.get("_meta") or {})
        if method == "server/discover" and not modern:
            send(message, error={"code": -32601, "message": "Method not found"})
        elif method == "initialize" and modern_only:
            send(message, error={"code": -32022, "message": f"this connection serves {MODERN}", "data": {"supported": [MODERN]}})
        elif modern and method == "subscriptions/listen":
            print(json.dumps({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {
                "_meta": {SUBSCRIPTION: message["id"]}, "notifications": params.get("notifications", {})}}), flush=True)
        elif (result := answer(method, params)) is None:
            send(message, error={"code": -32601, "message": "Method not found"})
        elif modern:
            modern_only = True
            cache = {"cacheScope": "private", "ttlMs": 0} if method.endswith("/list") or method == "server/discover" else {}
            about = {"io.modelcontextprotocol/serverInfo": {"name": "demo", "version": "1"}}
            send(message, {**result, **cache, "resultType": "complete", "_meta": about})
        else:
            send(message, result)


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "demo", "version": "1"}}
    if method == "server/discover":
        return {"capabilities": {"tools": {"listChanged": True}}, "supportedVersions": [MODERN]}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method in LISTS:
        return {LISTS[method]: []}
    if method == "ping":
        return {}
    return call(params.get("name"), params.get("arguments") or {}) if method == "tools/call" else None


def call(name, args):
    if name not in [t["name"] for t in TOOLS]:
        return {"content": [{"type": "text", "text": f"no tool {name}"}], "isError": True}
    with open(os.path.join(sys.argv[1], name), "a") as f:
        f.write(json.dumps(args) + "\n")
    return {"content": [{"type": "text", "text": f"{name}: {' '.join(map(str, args.values()))}"}], "isError": False}


def send(request, result=None, error=None):
    body = {"error": error} if error else {"result": result}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **body}), flush=True)


if __name__ == "__main__":
    main()
