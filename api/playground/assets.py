"""The files that the pages load, served from `/playground/`.

Only what was found when the server started is served, by exact name: there is no path to walk out of. The built
files carry a hash of their content in their names, so a browser may keep them for good; the others are asked after
each time, and answered with 304 while they are the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from api.refusals import not_found

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".woff2": "font/woff2",
}
"""Written down here, since what the machine's own tables say differs from system to system."""

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATED = "no-cache"

ASSET_POLICY = "default-src 'none'; script-src 'self'; frame-ancestors 'none'"
"""A worker lives under the policy of its own file, and may load more of our scripts; nothing else."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, or one body made at start, with what its answer carries. `packed` is the same file gzipped."""

    media_type: str
    cache: str
    etag: str
    path: Path | None = None
    packed: Path | None = None
    body: bytes = b""

    def respond(self, request: Request) -> Response:
        """The answer to a GET or a HEAD."""
        headers = {
            "Cache-Control": self.cache,
            "Content-Security-Policy": ASSET_POLICY,
            "Cross-Origin-Resource-Policy": "same-origin",
            "ETag": self.etag,
        }
        if self.packed is not None:
            headers["Vary"] = "Accept-Encoding"
        if unchanged(request, self.etag):
            return Response(status_code=304, headers=headers)
        if self.path is None:
            return Response(self.body, headers=headers, media_type=self.media_type)
        path = self.path
        if self.packed is not None and _takes_gzip(request):
            path = self.packed
            headers["Content-Encoding"] = "gzip"
        return FileResponse(path, headers=headers, media_type=self.media_type)


class Assets:
    """Every file below the folders given, and the bodies made at start, by the name they are served under."""

    def __init__(self, *, immutable: Path, revalidated: Path, made: Mapping[str, bytes]) -> None:
        self._known = {
            **_files(revalidated, REVALIDATED),
            **_files(immutable, IMMUTABLE),
            **{
                name: Asset(MEDIA_TYPES[Path(name).suffix], REVALIDATED, etag_of(body), body=body)
                for name, body in made.items()
            },
        }

    @property
    def names(self) -> frozenset[str]:
        """What is served."""
        return frozenset(self._known)

    async def __call__(self, request: Request) -> Response:
        """Answers `/playground/{name:path}`."""
        asset = self._known.get(request.path_params["name"])
        if asset is None:
            return not_found("There is no such file.")
        return asset.respond(request)


def etag_of(content: bytes) -> str:
    """The validator of a body: a strong one, since it is made of all of it."""
    return f'"{hashlib.sha256(content).hexdigest()[:24]}"'


def unchanged(request: Request, etag: str) -> bool:
    """Whether the caller says that it holds this version already (If-None-Match)."""
    held = request.headers.get("if-none-match", "")
    return any(one.strip().removeprefix("W/") in (etag, "*") for one in held.split(","))


def _files(folder: Path, cache: str) -> dict[str, Asset]:
    found = {}
    for path in sorted(folder.rglob("*")):
        media_type = MEDIA_TYPES.get(path.suffix)
        if media_type is None or not path.is_file():
            continue
        packed = path.with_name(f"{path.name}.gz")
        # One validator stands for the plain and the gzipped form, which makes it a weak one.
        etag = etag_of(path.read_bytes())
        found[path.relative_to(folder).as_posix()] = Asset(
            media_type,
            cache,
            f"W/{etag}" if packed.is_file() else etag,
            path=path,
            packed=packed if packed.is_file() else None,
        )
    return found


def _takes_gzip(request: Request) -> bool:
    for coding in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, parameters = coding.partition(";")
        if name.strip() == "gzip":
            return parameters.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
