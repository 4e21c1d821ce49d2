"""The MCP door: tools that are generated at start from the built schema, one for each root field.

`McpDoor` is the whole of it: build one from a schema and an executor, mount its routes or run it over stdio.
`tools_json` prints the public surface for the committed `tools.json`.
"""

from __future__ import annotations






