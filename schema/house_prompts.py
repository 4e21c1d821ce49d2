"""Prompts that belong to no single source."""

from __future__ import annotations

from collections.abc import Mapping

from schema.prompt import Prompt, PromptArgument


def _cite(given: Mapping[str, str]) -> str:
    style = given.get("style", "a short source line for each, and below them the attribution sentences")
    return f"""\
Write the sources and licences for this, so that it can be published:

{given["what"]}

1. Find every entry that it uses. For a global ID call `get_node`, for several `get_nodes`; for a name use the \
lookup tool of the source that it comes from, by its `name`. If a name fits more than one entry, say which \
you took.
2. Ask for the fields `name`, `source.name`, `source.url`, `source.licence` and `source.attribution`, and nothing \
else. Where an entry has no attribution of its own, take that of its source from `list_sources`, with the field \
`licences`.
3. Write {style}. Name the document, its licence and its address exactly as they were returned, and copy \
attribution sentences word for word, each once.
4. If entries come under different licences, list them apart. If an entry was not found, say so instead of \
guessing where it comes from.
"""


HOUSE_PROMPTS = (
    Prompt(
        name="cite_with_licence",
        title="Cite with licence",
        description="Write the source lines, licences and attribution sentences for entries that you used.",
        write=_cite,
        arguments=(
            PromptArgument(
                "what", "Names, keys or IDs of the entries, or the text that uses them.", required=True
            ),
            PromptArgument("style", "How it is to look, such as `footnotes` or `one paragraph`."),
        ),
    ),
)
