"""Adapters for agent libraries. Each module imports its library when it is imported itself, and not before.

- `tool_policy.adapters.alpineagents`: permissions of alpineagents
- `tool_policy.adapters.can_use_tool`: an async `can_use_tool` callback, of no library in particular; the one of AdaL's SDK
- `tool_policy.adapters.claude_agent_sdk`: the PreToolUse hook and `can_use_tool` of the Claude Agent SDK
- `tool_policy.adapters.openai_agents`: guardrail and approval of the OpenAI Agents SDK
- `tool_policy.adapters.langchain`: middleware of LangChain

In all of them whatever goes wrong is a denial that says so.
"""
