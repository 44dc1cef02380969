"""Stylesheets, scripts and pictures: read once, named by their content, cached for a year."""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from mimetypes import guess_type
from pathlib import Path

from markupsafe import Markup
from starlette.responses import Response

STATIC = Path(__file__).parent / "static"
PATH = "/portal/static/"
_YEAR = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    url: str
    integrity: str
    content: bytes
    content_type: str


@cache
def find(name: str) -> Asset | None:
    """None: there is no such file. Only names of files in the folder itself are looked up."""
    path = STATIC / name
    if name not in _names() or not path.is_file():
        return None
    content = path.read_bytes()
    digest = hashlib.sha384(content).digest()
    version = hashlib.sha256(content).hexdigest()[:12]
    kind = guess_type(name)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    integrity = "sha384-" + base64.b64encode(digest).decode()
    return Asset(f"{PATH}{name}?v={version}", integrity, content, kind)


def load(name: str) -> Asset:
    asset = find(name)
    assert asset is not None, f"{name} is not in the folder of static files"
    return asset


def stylesheet(*names: str) -> Markup:
    """The elements that load these stylesheets."""
    link = Markup('<link rel="stylesheet" href="{}" integrity="{}">')
    found = map(load, names)
    return Markup("").join(link.format(asset.url, asset.integrity) for asset in found)


def script(*names: str) -> Markup:
    """The elements that load these scripts, to be run when the page has been read."""
    element = Markup('<script src="{}" integrity="{}" defer></script>')
    found = map(load, names)
    return Markup("").join(element.format(asset.url, asset.integrity) for asset in found)


def respond(name: str) -> Response:
    asset = find(name)
    if asset is None:
        return Response("not found\n", 404, media_type="text/plain")
    headers = {"cache-control": _YEAR, "content-type": asset.content_type}
    return Response(asset.content, headers=headers)


@cache
def _names() -> frozenset[str]:
    return frozenset(path.name for path in STATIC.iterdir())
