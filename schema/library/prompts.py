"""Prompts for the library."""

from __future__ import annotations

from collections.abc import Mapping

from schema.prompt import Prompt, PromptArgument


def _survey_field(given: Mapping[str, str]) -> str:
    return f"""\
Survey what this library holds about the following field: {given["field"]}

1. Find the category with `list_categories` (`search`); if none fits, look with `catalog_search` for the categories \
of its best hits. Take the nearest category and say which one you took.
2. See what it is about: `list_concepts_in_category` with `include_children`, sorted by `documentCount`.
3. See what there is: `category_search` with `include_children`. Ask for `title`, `authors`, `year`, `summary`.
4. Group the documents into three to five themes by their concepts. For each theme name the document to begin with, \
and in one sentence why.
5. Close with what the library lacks, as far as its concepts show it. Rely on what the tools returned; say when a \
summary is all that is held of a document.
"""


LIBRARY_PROMPTS = (
    Prompt(
        name="survey_field",
        title="Survey a field",
        description="What the library holds about a field: its concepts, its documents, where to begin.",
        write=_survey_field,
        arguments=(PromptArgument("field", "The field, such as `distributed systems`.", required=True),),
    ),
)
