"""A router as one HTML page that needs no network: a drawing of the router and of each compound, and details of each element. Text from a

configuration can't become code: drawings have it escaped, and the script gets it as JSON without `<` and puts it into the page as text. The
page's content security policy allows only that script, and no connections.
"""

import base64
import hashlib
import json
from html import escape
from pathlib import Path

from clickbpf.draw.layout import lay_out
from clickbpf.draw.picture import MEANINGS, compounds, picture
from clickbpf.draw.shape import printable
from clickbpf.draw.svg import svg
from clickbpf.plan.values import Plan
from clickbpf.vocabulary.manual import manual

_FOLDER = Path(__file__).parent
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '{hash}'">
<title>{title}</title><style>{style}</style></head>
<body><main><nav><span id="here"></span><input id="search" type="search" placeholder="find elements" aria-label="find elements"></nav>
{sections}</main>
<aside id="side"><h2>{title}</h2><p>Click an element for its manual page, a compound to look inside.</p></aside>
<script type="application/json" id="known">{known}</script>
<script>{script}</script></body></html>
"""


def page(plan: Plan, title: str) -> str:
    """The whole page."""
    script = (_FOLDER / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return PAGE.format(
        hash=f"sha256-{digest}",
        title=escape(printable(title)),
        style=(_FOLDER / "page.css").read_text(encoding="utf-8"),
        sections="\n".join(_section(plan, compound) for compound in ("", *compounds(plan))),
        known=_json(_known(plan, title)),
        script=script,
    )


def _section(plan: Plan, compound: str) -> str:
    drawn = picture(plan, compound)
    return f'<section data-compound="{escape(printable(compound))}">{svg(drawn, lay_out(drawn))}</section>'


def _known(plan: Plan, title: str) -> dict:
    router, instances = plan.checked.router, plan.checked.instances
    return {
        "title": printable(title),
        "elements": {
            printable(element.name): {
                "class": instances[element.name].class_name(),
                "config": printable(element.config.strip()),
                "where": MEANINGS[plan.placements[element.name].where],
                "reason": printable(plan.placements[element.name].reason),
                "place": printable(str(element.place or "")),
                "from": list(dict.fromkeys(printable(c.source.element) for c in router.connections_to(element.name))),
                "to": list(dict.fromkeys(printable(c.target.element) for c in router.connections_from(element.name))),
            }
            for element in router.elements
        },
        "manuals": {class_.class_name(): manual(class_) for class_ in {type(instance) for instance in instances.values()}},
    }


def _json(value: dict) -> str:
    """JSON for a script element; it can't end the element or begin a comment."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True).replace("<", "\\u003c")
