"""The Python SDK's client behind `policy mcp`: client.py (auto|legacy) (accept|decline|cancel|none) -- SERVER…, or client.py files -- SERVER…"""
import asyncio
import os
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

asked = []


def proxy(name, rest):
    env = {k: v for k, v in os.environ.items()}
    return StdioServerParameters(command=os.environ["POLICY_BIN"], args=["mcp", "--server", name, *rest], env=env)


def text(result):
    return "\n".join(getattr(x, "text", "") for x in result.content)


def check(what, ok, *more):
    print(("ok    " if ok else "FAILED"), what, *([] if ok else more))
    if not ok:
        check.failed = True


check.failed = False


async def small(era, answer, rest):
    for left in ("sent.txt", "wiped.txt"):
        if os.path.exists(left):
            os.remove(left)

    async def person(_context, params):
        asked.append(params.message)
        return ElicitResult(action=answer, content={"decision": "allow"} if answer == "accept" else None)

    can_ask = {} if answer == "none" else {"elicitation_callback": person}
    async with Client(proxy("small", rest), mode=era, **can_ask) as client:
        modern = client.protocol_version == "2026-07-28"
        check(f"the era is {era} ({client.protocol_version})", modern == (era == "auto"))
        tools = (await client.list_tools()).tools
        check("the tools are listed", [t.name for t in tools] == ["echo", "slow", "send", "wipe", "set"], tools)
        r = await client.call_tool("echo", {"text": "hi"})
        check("an allowed call runs", not r.is_error and text(r) == "echo hi", r)
        r = await client.call_tool("send", {"text": "x"})
        check("a denied call does not, and says why", r.is_error and "Nothing leaves." in text(r) and not os.path.exists("sent.txt"), r)
        r = await client.call_tool("set", {"text": "x"})
        check("a changed call runs changed", "set changed" in text(r), r)
        r = await client.call_tool("wipe", {"text": "x"})
        ran = os.path.exists("wiped.txt")
        if answer == "accept":
            check("an approved call runs", not r.is_error and text(r) == "wiped x" and ran, r)
        else:
            check(f"a call that is not approved ({answer}) does not", r.is_error and not ran, r)
        check("a person was asked where one can be", len(asked) == (0 if answer == "none" else 1), asked)
        if answer in ("cancel", "none"):
            check("the way to approve it is told", "policy approve " in text(r), r)
        # Cancelled by the client; the connection lives on.
        try:
            await asyncio.wait_for(client.call_tool("slow", {"text": "x"}), 0.5)
            check("a slow call is cancelled", False)
        except (TimeoutError, asyncio.TimeoutError):
            pass
        answers = await asyncio.gather(*(client.call_tool("echo", {"text": str(n)}) for n in range(64)))
        check("64 calls at once get their own answers", [text(a) for a in answers] == [f"echo {n}" for n in range(64)])
        # Over HTTP the server takes less.
        size = 500_000 if rest[0] == "--url" else 5_000_000
        big = await client.call_tool("echo", {"text": "x" * size})
        check(f"{size} bytes go there and back", len(text(big)) == size + 5)


async def files(rest):
    async with Client(proxy("files", rest)) as client:
        open("a.txt", "w").write("hello")
        r = await client.call_tool("read_text_file", {"path": os.path.abspath("a.txt")})
        check("a hint is not known before the tools are listed", r.is_error, r)
        await client.list_tools()
        r = await client.call_tool("read_text_file", {"path": os.path.abspath("a.txt")})
        check("a read runs", text(r) == "hello", r)
        r = await client.call_tool("move_file", {"source": os.path.abspath("a.txt"), "destination": os.path.abspath("b.txt")})
        check("a move is denied", r.is_error and os.path.exists("a.txt"), r)


arguments = sys.argv[1:]
if arguments[0] == "files":
    asyncio.run(asyncio.wait_for(files(arguments[1:]), 60))
else:
    asyncio.run(asyncio.wait_for(small(arguments[0], arguments[1], arguments[2:]), 60))
sys.exit(check.failed)
