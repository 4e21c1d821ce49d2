"""Settings read from the environment, and what is said when a value there cannot be used."""

from __future__ import annotations

import os
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from dotenv import dotenv_values
from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticUndefined
from pydantic_settings import BaseSettings

from sources.errors import LoregraphError, nearest, shorten

PREFIX = "LOREGRAPH_"
TEST_PREFIX = "LOREGRAPH_TEST_"
"""Variables that only the test suite reads."""
ENV_FILE = Path(".env")
"""Read from the folder that a command is started in; the environment itself wins over it."""

SettingsT = TypeVar("SettingsT", bound=BaseSettings)


class WrongSettings(LoregraphError):
    """At least one setting has a value that cannot be used; `problems` holds one sentence for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True)
class Variable:
    """One setting as a person meets it: an environment variable."""

    name: str
    field: str
    info: FieldInfo

    @property
    def description(self) -> str:
        """What the setting means, with its unit."""
        return self.info.description or ""

    @property
    def secret(self) -> bool:
        """Whether its value must never be shown."""
        return SecretStr in _members(self.info.annotation)

    @property
    def allowed(self) -> str:
        """The values that it takes, as they complete the sentence "it must be …"."""
        return str(self._extra("allowed") or _allowed(self.info))

    @property
    def default(self) -> str:
        """Its default as a person would write it; empty when it has none."""
        said = self._extra("default_text")
        return (
            str(said)
            if said is not None
            else written(self.info.get_default(call_default_factory=True)) or "none"
        )

    @property
    def example(self) -> str:
        """A value that could be set; the default itself where no example was given."""
        return written(self.info.examples[0]) if self.info.examples else self.default

    def _extra(self, key: str) -> Any:
        extra = self.info.json_schema_extra
        return extra.get(key) if isinstance(extra, dict) else None


def variables(settings_type: type[BaseSettings]) -> Iterator[Variable]:
    """The variables of a settings class, in the order of its definition."""
    prefix = settings_type.model_config.get("env_prefix", "")
    for field, info in settings_type.model_fields.items():
        yield Variable(f"{prefix}{field}".upper(), field, info)


def written(value: object) -> str:
    """A setting's value as it is written in the environment. Secrets are not shown."""
    match value:
        case None:
            return ""
        case _ if value is PydanticUndefined:
            return ""
        case SecretStr():
            return "(hidden)"
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:g}"
        case Enum():
            return str(value.value)
        case tuple() | list():
            return ",".join(written(item) for item in value)
    return str(value)


def read_settings(
    settings_type: type[SettingsT],
    options: Mapping[str, object] | None = None,
    env_file: Path | None = ENV_FILE,
) -> SettingsT:
    """Settings from `options` (field name to value; None is not given), the environment and `env_file`.

    The first of them that holds a value wins. Raises WrongSettings when a value cannot be used.
    """
    given: dict[str, Any] = {name: value for name, value in (options or {}).items() if value is not None}
    try:
        return settings_type(_env_file=env_file, **given)
    except ValidationError as error:
        known = {variable.field: variable for variable in variables(settings_type)}
        raise WrongSettings(_sentence(detail, known, given) for detail in error.errors()) from None
    except (OSError, UnicodeDecodeError):
        raise WrongSettings([f"The settings file `{env_file}` cannot be read as text."]) from None


def unknown_variables(
    known: Iterable[str],
    environment: Mapping[str, str] | None = None,
    env_file: Path | None = ENV_FILE,
) -> list[str]:
    """A sentence for each `LOREGRAPH_…` variable that is set but means nothing."""
    names = set(os.environ if environment is None else environment)
    if env_file is not None and env_file.is_file():
        names |= set(dotenv_values(env_file))
    allowed = sorted(known)
    endings = [name.removeprefix(PREFIX) for name in allowed]
    sentences = []
    for name in sorted(names):
        ours = name.upper().startswith(PREFIX) and not name.upper().startswith(TEST_PREFIX)
        if ours and name.upper() not in allowed:
            near = nearest(name.upper().removeprefix(PREFIX), endings, 1)
            hint = f" Did you mean `{PREFIX}{near[0]}`?" if near else ""
            sentences.append(f"`{name}` is set, but loregraph has no such setting.{hint}")
    return sentences


def _sentence(detail: ErrorDetails, known: Mapping[str, Variable], options: Mapping[str, object]) -> str:
    field = str(detail["loc"][0]).lower() if detail["loc"] else ""
    variable = known.get(field) or next((v for v in known.values() if v.name.lower() == field), None)
    if variable is None:
        return f"The settings cannot be used: {detail['msg']}."
    name = f"`{variable.name}`"
    if variable.field in options:
        name = f"`--{variable.field.replace('_', '-')}` ({name})"
    sentence = f"{name} must be {variable.allowed}"
    if variable.secret:
        return f"{sentence}; its value is not shown here."
    given = detail["input"]
    value = shorten(written(given) if isinstance(given, (tuple, list)) else given)
    if not value:
        return f"{sentence}; it is empty."
    sentence = f"{sentence}, got `{value}`."
    near = nearest(value, [str(choice) for choice in _choices(variable.info.annotation)], 1)
    return f"{sentence} Did you mean `{near[0]}`?" if near else sentence


def _members(annotation: Any) -> tuple[Any, ...]:
    """The alternatives of a union, annotations and None taken off; the type itself when it is none."""
    if typing.get_origin(annotation) is Annotated:
        return _members(typing.get_args(annotation)[0])
    arguments = typing.get_args(annotation)
    if type(None) in arguments:
        return tuple(member for argument in arguments for member in _members(argument))
    return () if annotation is type(None) else (annotation,)


def _choices(annotation: Any) -> tuple[Any, ...]:
    (kind, *_) = _members(annotation)
    if typing.get_origin(kind) is Literal:
        return typing.get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(member.value for member in kind)
    return ()


def _allowed(info: FieldInfo) -> str:
    choices = _choices(info.annotation)
    if choices:
        *first, last = [f"`{choice}`" for choice in choices]
        return f"{', '.join(first)} or {last}" if first else last
    (kind, *_) = _members(info.annotation)
    if kind is bool:
        return "`true` or `false`"
    if kind in (int, float):
        noun = "a whole number" if kind is int else "a number"
        low, high = _bound(info, "ge"), _bound(info, "le")
        match low, high:
            case None, None:
                return noun
            case _, None:
                return f"{noun} of at least {low}"
            case None, _:
                return f"{noun} of at most {high}"
            case _:
                return f"{noun} from {low} to {high}"
    if kind is Path:
        return "the path of a folder"
    if typing.get_origin(kind) is tuple:
        return "a list with commas"
    return "a text"


def _bound(info: FieldInfo, name: str) -> Any:
    return next((getattr(mark, name) for mark in info.metadata if hasattr(mark, name)), None)
