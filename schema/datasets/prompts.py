"""Prompts for datasets of CKAN portals."""

from __future__ import annotations

from collections.abc import Mapping

from schema.prompt import Prompt, PromptArgument
from sources.datasets.portals import REGISTRY

_PORTALS = tuple(portal.key for portal in REGISTRY)


def _find_data(given: Mapping[str, str]) -> str:
    portal = given.get("portal")
    where = (
        f"Look at the portal `{portal}`."
        if portal
        else "No portal is given: choose one or two with `ckan_find_portals`, by country and language, and say which."
    )
    return f"""\
Find open data that answers this: {given["topic"]}

{where}

1. Turn it into two to four telling words in the portal's own language, and call \
`ckan_find_relevant_datasets`. If the best hits miss the point, try other words, or `ckan_package_search` \
with `OR` between them; read `provenance.warnings`.
2. Of the best three read `ckan_package_show`: whether they are what was asked for, who holds them, how \
fresh they are, their licence. Drop what only shares a word with the question.
3. Call `ckan_list_resources` for those that are left. Say which have rows that can be asked for, and where.
4. Answer with at most three datasets, the best first: title, holder, what it holds, last change, licence, \
its `view_url`, and the resource to use. If nothing fits, say so, and what was searched for.
"""


def _look_into(given: Mapping[str, str]) -> str:
    return f"""\
Look into this dataset and answer from its rows: {given["dataset"]}, at the portal {given["portal"]}

The question: {given["question"]}

1. Call `ckan_list_resources`, and choose the resource whose rows can be asked for and that fits the \
question. If its rows lie at another portal, go on there, with the portal and the id that are named.
2. Call `ckan_datastore_search` with `limit` 0: it gives the columns and the number of rows. Then a few \
rows, to see how values are written; dates and numbers are often texts.
3. Ask for the rows that the question needs, by `filters`, `sort` and `fields`, all pages of them. Never \
judge by the first page alone: compare what you read with `total_count`.
4. Answer with the figures, how many rows they rest on, and what is missing or odd in them. Name the \
dataset, its holder and licence, and say that the data is the portal's. If no resource has rows, say so; \
do not guess what a file holds.
"""


DATASETS_PROMPTS = (
    Prompt(
        name="find_open_data",
        title="Find open data",
        description="Describe what you want to know; get the datasets that hold it, and how to reach their rows.",
        write=_find_data,
        arguments=(
            PromptArgument("topic", "What the data should be about.", required=True),
            PromptArgument("portal", "A portal by name or URL.", words=_PORTALS),
        ),
    ),
    Prompt(
        name="answer_from_dataset",
        title="Answer from a dataset",
        description="Put a question to the rows of one dataset.",
        write=_look_into,
        arguments=(
            PromptArgument("portal", "The portal by name or URL.", required=True, words=_PORTALS),
            PromptArgument("dataset", "The dataset's name or id.", required=True),
            PromptArgument("question", "What is to be found out.", required=True),
        ),
    ),
)
