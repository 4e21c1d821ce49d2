"""Prompts: ready-made requests that a person picks in an MCP client, and what a room brings of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """One blank of a prompt. `words` are values to offer while it is typed; any other text is taken as well."""

    name: str
    description: str
    required: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request for a model, written for one kind of task.

    `write` turns the given arguments into its text; those left out are absent from the mapping. The text names
    tools between backticks, which a test holds against the tools that there are.
    """

    name: str
    title: str
    description: str
    write: Callable[[Mapping[str, str]], str]
    arguments: tuple[PromptArgument, ...] = ()
