"""Compare configurations loaded by variants with the same without a kernel path; exit status 1 if one differs."""

import argparse
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.testing.live.compare import Comparison
from clickbpf.testing.live.variants import PLAIN, VARIANTS

#: The flow in the key of a difference, in hexadecimal, which isn't shown.
FLOW = re.compile(r" [0-9a-f]{4,}$")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m clickbpf.testing.live", description=__doc__)
    parser.add_argument("words", metavar="FILE|NAME=VALUE", nargs="+", help="configurations, and variables for all of them")
    others = [name for name in VARIANTS if name != PLAIN]
    chosen = f"some of {', '.join(others)}, separated by commas, or 'all' (default: xdp,tc)"
    parser.add_argument("--variants", default="xdp,tc", help=chosen)
    parser.add_argument("--packets", type=int, default=300, help="packets that are sent (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="which packets (default 1)")
    options = parser.parse_args()
    os.environ.setdefault("CLICKBPF_CFLAGS", "-O0")  # compilation takes most of the time
    variants = others if options.variants == "all" else options.variants.split(",")
    variables = dict(word.split("=", 1) for word in options.words if "=" in word)
    paths = [Path(word) for word in options.words if "=" not in word]
    return not all([show(path, Comparison(path, variables, options.seed, options.packets), variants) for path in paths])


def show(path: Path, comparison: Comparison, variants: Iterable[str]) -> bool:
    """Print the differences; returns whether there are none."""
    same = True
    try:
        for variant in variants:
            found = comparison.of(variant)
            same = same and not found
            record = comparison.record
            compared = f"{len(record.steps)} packets in, {record.sent} out, {len(record.state)} values"
            print(f"{path}: {variant}: {compared}; {len(found)} differences", flush=True)
            for each in found:
                print("  " + each.text.replace("\n", "\n  "), flush=True)
    except ClickError as error:
        print(f"{path}: not compared: {error.diagnostics[0].message.strip()[-300:]}", flush=True)
        return False
    names = sorted(name for name in comparison.excluded if not FLOW.search(name))
    if names:
        print(f"{path}: not compared, because it differs from run to run without a kernel path: {', '.join(names)}", flush=True)
    return same


if __name__ == "__main__":
    sys.exit(main())
