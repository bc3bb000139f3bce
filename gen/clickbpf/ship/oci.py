"""An OCI image layout: a folder with a container image of one file, for tools that push such folders to registries.

Source: OCI Image Format Specification 1.0, image-layout.md, manifest.md, config.md and layer.md. The archive's format is pax
(POSIX.1-2001), which allows any file name. Equal contents give equal images, which don't depend on the time or the user.
"""

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clickbpf.errors import ClickError

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
INDEX = "application/vnd.oci.image.index.v1+json"
#: BPF programs run on every machine of their byte order, but registries require one architecture, by Go's name for it.
PLATFORM = {"architecture": "amd64", "os": "linux"}
TAG = "latest"
#: A time without meaning, which some tools require.
CREATED = "1970-01-01T00:00:00Z"


def write_layout(folder: Path, file: str, content: bytes, labels: Mapping[str, str]) -> None:
    """Write an image with the labels and the file as its only layer into a new or empty folder. ClickError if that fails."""
    archive = _archive(file, content)
    layer = gzip.compress(archive, mtime=0)
    config = _json({
        **PLATFORM,
        "created": CREATED,
        "config": {"Labels": dict(labels)},
        "rootfs": {"type": "layers", "diff_ids": [_digest(archive)]},
        "history": [{"created": CREATED, "created_by": "clickbpf build"}],
    })
    manifest = _json({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": _descriptor(CONFIG, config),
        "layers": [_descriptor(LAYER, layer)],
    })
    index = _json({
        "schemaVersion": 2,
        "mediaType": INDEX,
        "manifests": [{**_descriptor(MANIFEST, manifest), "annotations": {"org.opencontainers.image.ref.name": TAG}, "platform": PLATFORM}],
    })
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ClickError(f"{folder} is not empty", hint="an image is written into a folder of its own")
        blobs = folder / "blobs" / "sha256"
        blobs.mkdir(parents=True)
        for blob in (layer, config, manifest):
            (blobs / _digest(blob).removeprefix("sha256:")).write_bytes(blob)
        (folder / "oci-layout").write_bytes(_json({"imageLayoutVersion": "1.0.0"}))
        (folder / "index.json").write_bytes(index)
    except OSError as error:
        raise ClickError(f"cannot write the image to {folder}: {error.strerror}") from None


def _archive(file: str, content: bytes) -> bytes:
    """A tar archive with the file at its root. ClickError if the name isn't UTF-8, which pax requires."""
    try:
        file.encode()
    except UnicodeEncodeError:
        raise ClickError("the configuration's file name is not UTF-8", hint="the object in the image is named after it") from None
    entry = tarfile.TarInfo(file)
    entry.size, entry.mode = len(content), 0o644
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def _descriptor(kind: str, blob: bytes) -> dict[str, Any]:
    return {"mediaType": kind, "digest": _digest(blob), "size": len(blob)}


def _digest(blob: bytes) -> str:
    return f"sha256:{hashlib.sha256(blob).hexdigest()}"


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
