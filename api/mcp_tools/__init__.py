"""The MCP door: tools that are generated at start from the built schema, one for each root field.

`server.McpDoor` is the whole of it: build one from a schema and an executor, mount its routes or run it over
stdio. `printing.tools_json` prints the public surface for the committed `tools.json`.
"""
