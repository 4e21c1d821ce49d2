"""Writing categories: their names stay unique, their tree stays a tree, and the closed tree follows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
import sqlalchemy as sa

from sources.library import tables
from sources.library.records import CategoryEntry, Origin
from sources.library.references import categories_meant, category_row
from sources.library.statistics import ANCESTOR, CATEGORY, DOCUMENT_CATEGORY, insert_rows, rebuild
from sources.library.tally import Tally
from sources.text_index import fold

RELATION = tables.table_of(tables.CategoryRelationRow)

HIGHEST = 50
"""Steps from the top of the tree to a category: the closed tree has a row for each of them."""
_SHOWN = 12
IN_SAMPLE = " It is in the sample, which `loregraph sample remove library` takes out."

Numbered = tuple[int, CategoryEntry]
"""An entry and the number of its line."""


def write_categories(connection: sa.Connection, entries: Sequence[Numbered], origin: Origin) -> Tally:
    """Writes categories, all of a file at once; those whose name is taken or that lie in a cycle are rejected."""
    tally = Tally()
    held = {row.key: row for row in connection.execute(sa.select(CATEGORY))}
    wanted = []
    for number, entry in entries:
        row = held.get(entry.key)
        if row is not None and row.origin == Origin.IMPORT and origin is Origin.SAMPLE:
            tally.counts["kept"] += 1
        elif row is not None and row.content_hash == entry.digest and row.origin == origin:
            tally.counts["unchanged"] += 1
        else:
            wanted.append((number, entry))
    sample = {key for key, row in held.items() if row.origin == Origin.SAMPLE}
    wanted = _with_free_names(wanted, {key: row.name_folded for key, row in held.items()}, sample, tally)
    wanted = _without_cycles(wanted, held, tally)
    if not wanted:
        return tally
    for _, entry in wanted:
        _write_row(connection, entry, origin, is_new=entry.key not in held)
        tally.counts["updated" if entry.key in held else "added"] += 1
    _write_references(connection, [entry for _, entry in wanted], origin)
    close_tree(connection)
    return tally


def _with_free_names(
    wanted: list[Numbered], held: Mapping[str, str], sample: set[str], tally: Tally
) -> list[Numbered]:
    """The entries whose names, when all are written, are theirs alone. A later line gives way to an earlier one."""
    while True:
        names = dict(held) | {entry.key: fold(entry.name) for _, entry in wanted}
        given = {entry.key for _, entry in wanted}
        owners: dict[str, str] = {name: key for key, name in names.items() if key not in given}
        free: list[Numbered] = []
        for number, entry in wanted:
            owner = owners.setdefault(fold(entry.name), entry.key)
            if owner == entry.key:
                free.append((number, entry))
            else:
                hint = IN_SAMPLE if owner in sample else ""
                tally.reject(
                    number, f"`name`: `{entry.name}` is the name of the category `{owner}` already.{hint}"
                )
        if len(free) == len(wanted):
            return free
        wanted = free


def _write_row(connection: sa.Connection, entry: CategoryEntry, origin: Origin, *, is_new: bool) -> None:
    texts = [entry.name, *entry.aliases, entry.description or ""]
    values = {
        "name": entry.name,
        "name_folded": fold(entry.name),
        "search_folded": " | ".join(fold(text) for text in texts if text),
        "description": entry.description,
        "aliases": orjson.dumps(entry.aliases).decode(),
        "origin": origin.value,
        "content_hash": entry.digest,
    }
    if is_new:
        connection.execute(
            sa.insert(CATEGORY).values(category_row(entry.key, entry.name, origin.value) | values)
        )
    else:
        connection.execute(sa.update(CATEGORY).where(CATEGORY.c.key == entry.key).values(values))


def _without_cycles(wanted: list[Numbered], held: Mapping[str, sa.Row[Any]], tally: Tally) -> list[Numbered]:
    """The entries that leave the tree a tree of bounded height, whatever was held before."""
    while True:
        entries = {entry.key: entry for _, entry in wanted}
        resolve = _resolver(entries, held)
        above = {key: resolve(entry.parent) for key, entry in entries.items()}
        parents = {key: row.parent_key for key, row in held.items()} | above
        cyclic = _in_cycles(parents) & entries.keys()
        blamed = set() if cyclic else _too_high(parents, entries)
        if not cyclic and not blamed:
            return wanted
        orphans = _below((cyclic | blamed) - held.keys(), above)
        kept: list[Numbered] = []
        for number, entry in wanted:
            if entry.key in cyclic:
                way_up = " → ".join(_way_back(entry.key, parents))
                tally.reject(number, f"`parent`: the way up leads back to the category itself: {way_up}.")
            elif entry.key in blamed:
                tally.reject(number, f"`parent`: the tree would be more than {HIGHEST} steps high.")
            elif entry.key in orphans:
                tally.reject(number, f"`parent`: the line of `{entry.parent}` was rejected.")
            else:
                kept.append((number, entry))
        wanted = kept


def _in_cycles(parents: Mapping[str, str | None]) -> set[str]:
    """The categories whose way up leads back to themselves."""
    done: set[str] = set()
    found: set[str] = set()
    for start in parents:
        way: dict[str, None] = {}
        key: str | None = start
        while key is not None and key not in done and key not in way:
            way[key] = None
            key = parents.get(key)
        if key in way:
            steps = list(way)
            found.update(steps[steps.index(key) :])
        done.update(way)
    return found


def _too_high(parents: Mapping[str, str | None], entries: Mapping[str, CategoryEntry]) -> set[str]:
    """The entries by which categories of a tree come to lie more than `HIGHEST` steps below its top."""
    depths: dict[str, int] = {}
    for start in parents:
        way = []
        key: str | None = start
        while key is not None and key not in depths:
            way.append(key)
            key = parents.get(key)
        depth = -1 if key is None else depths[key]
        for step in reversed(way):
            depth += 1
            depths[step] = depth
    blamed: set[str] = set()
    for start, depth in depths.items():
        if depth > HIGHEST:
            key = start
            while key is not None and key not in entries:
                key = parents.get(key)
            if key is not None:
                blamed.add(key)
    return blamed


def _below(lost: set[str], parents: Mapping[str, str | None]) -> set[str]:
    """The categories whose parents, at any height, are lost."""
    children: dict[str, list[str]] = {}
    for key, above in parents.items():
        if above is not None:
            children.setdefault(above, []).append(key)
    found: set[str] = set()
    left = list(lost)
    while left:
        for key in children.get(left.pop(), ()):
            if key not in found:
                found.add(key)
                left.append(key)
    return found


def _resolver(
    entries: Mapping[str, CategoryEntry], held: Mapping[str, sa.Row[Any]]
) -> Callable[[str | None], str | None]:
    """What a `parent` will mean once `entries` are written; None for what is yet to be made."""
    by_name = {row.name_folded: key for key, row in held.items() if key not in entries}
    by_name |= {fold(entry.name): key for key, entry in entries.items()}
    by_alias: dict[str, set[str]] = {}
    aliases: dict[str, Sequence[str]] = {key: orjson.loads(row.aliases) for key, row in held.items()}
    for key, names in (aliases | {key: entry.aliases for key, entry in entries.items()}).items():
        for name in names:
            by_alias.setdefault(fold(name), set()).add(key)

    def resolve(text: str | None) -> str | None:
        if text is None or text in entries or text in held:
            return text
        name = fold(text)
        others = by_alias.get(name, set())
        return by_name.get(name) or (next(iter(others)) if len(others) == 1 else None)

    return resolve


def _way_back(key: str, parents: Mapping[str, str | None]) -> list[str]:
    """The way up from a category in a cycle to itself, in short where it is long."""
    way = [key]
    while (above := parents[way[-1]]) != key:
        if above is None or len(way) == _SHOWN:
            return [*way, "…", key]
        way.append(above)
    return [*way, key]


def _write_references(connection: sa.Connection, entries: Sequence[CategoryEntry], origin: Origin) -> None:
    texts = [text for entry in entries for text in (entry.parent, *entry.related) if text is not None]
    meant = categories_meant(connection, texts, origin.value)
    rows: list[dict[str, Any]] = []
    for entry in entries:
        connection.execute(sa.delete(RELATION).where(RELATION.c.category_key == entry.key))
        parent = None if entry.parent is None else meant[entry.parent]
        connection.execute(sa.update(CATEGORY).where(CATEGORY.c.key == entry.key).values(parent_key=parent))
        keys = dict.fromkeys(meant[related] for related in entry.related)
        keys.pop(entry.key, None)
        rows += [
            {"category_key": entry.key, "position": position, "related_key": key}
            for position, key in enumerate(keys)
        ]
    insert_rows(connection, RELATION, rows)


def close_tree(connection: sa.Connection) -> None:
    """Writes the closed tree and the depths from the parents, and counts anew where documents moved with it."""
    held = connection.execute(sa.select(ANCESTOR.c.category_key, ANCESTOR.c.ancestor_key))
    before = {(row.category_key, row.ancestor_key) for row in held}
    rows = connection.execute(sa.select(CATEGORY.c.key, CATEGORY.c.parent_key, CATEGORY.c.depth)).all()
    parents = {row.key: row.parent_key for row in rows}
    closed: list[dict[str, Any]] = []
    for row in rows:
        above: str | None = row.key
        distance = 0
        while above is not None:
            closed.append({"category_key": row.key, "ancestor_key": above, "distance": distance})
            above = parents[above]
            distance += 1
        if row.depth != distance - 1:
            connection.execute(
                sa.update(CATEGORY).where(CATEGORY.c.key == row.key).values(depth=distance - 1)
            )
    after = {(row["category_key"], row["ancestor_key"]) for row in closed}
    if after == before:
        return
    connection.execute(sa.delete(ANCESTOR))
    insert_rows(connection, ANCESTOR, closed)
    moved = {category for category, _ in after ^ before}
    filled = connection.execute(sa.select(DOCUMENT_CATEGORY.c.category_key).distinct()).scalars()
    if moved & set(filled):
        rebuild(connection)
