"""`lockstep mcp`: Lockstep for agents, over the Model Context Protocol (docs/mcp.md). Needs the package `mcp` (extra `mcp`).

Invariant: a tool reads files below the roots alone, writes below its own temporary folder and the witnesses' alone, and every call is a
process that ends with the call."""
