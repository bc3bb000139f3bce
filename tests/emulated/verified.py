"""What this kernel's verifier says about objects, on a machine of its own: its first process (inside.py).

The objects are the files in objects/, and each is loaded as the loader does it; those without a manifest as they are.
"""

from __future__ import annotations

import time
from pathlib import Path

from inside import FILES, main

#: Characters of the verifier's log, from its end.
SHOWN = 2000


def seen() -> dict[str, str]:
    """Each object with why it was refused, or nothing."""
    found = {}
    for path in sorted((FILES / "objects").iterdir()):
        began = time.monotonic()
        found[path.stem] = refusal(path)
        print("refused" if found[path.stem] else "taken", path.stem, round(time.monotonic() - began, 1), found[path.stem], flush=True)
    return found


def refusal(path: Path) -> str:
    from clickbpf.errors import ClickError
    from clickbpf.load.kernel.objects import Object
    from clickbpf.load.path.kernelpath import load_kernel
    from clickbpf.objects.manifest import Manifest

    content = path.read_bytes()
    try:
        if path.name.startswith("helper"):
            with Object(content, "helper") as helper:
                helper.load()
        else:
            load_kernel(content, Manifest.from_object(content, path.name)).close()
    except ClickError as error:
        return f"{error}\n{(_log(error) or _log(error.__context__))[-SHOWN:]}"
    return ""


def _log(error: BaseException | None) -> str:
    return getattr(error, "verifier_log", "")


if __name__ == "__main__":
    main(seen)
