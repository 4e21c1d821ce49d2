"""The prompts of the house and of its rooms, listed, filled in, and their blanks completed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mcp_types as types
from mcp.shared.exceptions import MCPError

from api.mcp_tools.cleaning import clean
from schema.prompt import Prompt, PromptArgument
from sources.errors import nearest, shorten

LONGEST = 4000
"""Characters of one argument."""


class Prompts:
    """The prompts that one address serves. Raises `ValueError` where two have the same name."""

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        self._prompts: Mapping[str, Prompt] = {prompt.name: prompt for prompt in prompts}
        if len(self._prompts) != len(prompts):
            raise ValueError("two prompts have the same name")
        self.listing = tuple(_listed(self._prompts[name]) for name in sorted(self._prompts))

    def get(self, name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
        """The prompt `name` with these arguments. A blank one counts as left out.

        Raises `MCPError` for an unknown prompt or argument, one that is missing, and one that is too long.
        """
        prompt = self._known(name)
        known = {argument.name: argument for argument in prompt.arguments}
        given: dict[str, str] = {}
        for key, value in arguments.items():
            if key not in known:
                raise _wrong(
                    f"The prompt `{name}` has no argument `{shorten(key)}`.{_hint(key, list(known))}"
                )
            if len(value) > LONGEST:
                raise _wrong(f"`{key}` must have at most {LONGEST} characters, got {len(value)}.")
            if text := clean(value).strip():
                given[key] = text
        for argument in prompt.arguments:
            if argument.required and argument.name not in given:
                raise _wrong(f"The prompt `{name}` needs `{argument.name}`: {argument.description}")
        text = prompt.write(given)
        return types.GetPromptResult(
            description=prompt.description,
            messages=[types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))],
        )

    def words(self, name: str, argument: str) -> tuple[str, ...]:
        """What can be offered for an argument. Raises `MCPError` where there is no such prompt or argument."""
        for one in self._known(name).arguments:
            if one.name == argument:
                return one.words
        raise _wrong(f"The prompt `{name}` has no argument `{shorten(argument)}`.")

    def _known(self, name: str) -> Prompt:
        prompt = self._prompts.get(name)
        if prompt is None:
            raise _wrong(f"There is no prompt `{shorten(name)}`.{_hint(name, list(self._prompts))}")
        return prompt


def _listed(prompt: Prompt) -> types.Prompt:
    return types.Prompt(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[_listed_argument(argument) for argument in prompt.arguments],
    )


def _listed_argument(argument: PromptArgument) -> types.PromptArgument:
    return types.PromptArgument(
        name=argument.name, description=argument.description, required=argument.required
    )


def _hint(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    if near:
        return f" Did you mean {' or '.join(f'`{one}`' for one in near)}?"
    return f" There are: {', '.join(known)}." if known else ""


def _wrong(message: str) -> MCPError:
    return MCPError(code=types.INVALID_PARAMS, message=message)
