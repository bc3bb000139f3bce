"""`make bench`: measure ratios within one run, print tables, write JSON, draw charts. No number here makes a test fail."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]

from tests.bench import results  # noqa: E402
from tests.bench.effort import QUICK, WHOLE  # noqa: E402
from tests.bench.suites import SUITES  # noqa: E402


def main() -> int:
    chosen = arguments()
    effort = QUICK if chosen.quick else WHOLE
    names = chosen.only or [suite.name for suite in SUITES]
    found = []
    for suite in SUITES:
        if suite.name in names:
            start = time.monotonic()
            found.append(results.measured(suite, effort))
            results.show(found[-1])
            print(f"{suite.name}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    for path in (chosen.json, chosen.chart):
        path.parent.mkdir(parents=True, exist_ok=True)
    chosen.json.write_text(json.dumps([result.to_plain() for result in found], indent=1) + "\n")
    written = [chosen.json]
    if not chosen.no_chart:
        from tests.bench.charts import draw  # matplotlib isn't everywhere

        draw(found, chosen.chart)
        written.append(chosen.chart)
    print(f"{' and '.join(map(str, written))} written")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [suite.name for suite in SUITES]
    parser.add_argument("--only", nargs="+", action="extend", choices=names, metavar="NAME", help=f"only these suites: {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="small sizes and few rounds: shows that it works, not how fast anything is")
    parser.add_argument("--json", type=Path, default=Path("build/bench.json"), help="results (default: %(default)s)")
    parser.add_argument("--chart", type=Path, default=Path("build/bench.png"), help="chart (default: %(default)s)")
    parser.add_argument("--no-chart", action="store_true", help="draw nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
