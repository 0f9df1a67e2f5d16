"""A small server of the Python SDK, which speaks both eras: over stdio, or with a port over HTTP."""
import asyncio
import sys

from mcp.server import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("small")


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def echo(text: str) -> str:
    return f"echo {text}"


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
async def slow(text: str) -> str:
    await asyncio.sleep(30)
    return text


@server.tool()
def send(text: str) -> str:
    open("sent.txt", "w").write(text)
    return "sent"


@server.tool()
def wipe(text: str) -> str:
    open("wiped.txt", "w").write(text)
    return f"wiped {text}"


@server.tool(name="set")
def set_(text: str) -> str:
    return f"set {text}"


if len(sys.argv) > 1:
    server.run(transport="streamable-http", port=int(sys.argv[1]))
else:
    server.run()
