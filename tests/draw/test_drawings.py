"""Drawings of routers as files: Graphviz's language, SVG, a page. Whatever a configuration says stays text in them."""

import base64
import hashlib
import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from clickbpf.cli.main import main

ROOT = Path(__file__).parents[2]
IPROUTER, COMPOUNDS = ROOT / "configs" / "iprouter.click", ROOT / "configs" / "vlanrouter.click"
SVG = "{http://www.w3.org/2000/svg}"
#: What would be a script, a tag, an entity, the end of what it stands in, or no character at all.
HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "']]>--><!--<script>",
    '\\" ]; n0 [label="x"',
    "&lt;&#x3c;script&gt;",
    "a\x0b\x1b[31m\x7f\u202eb",
)
needs_graphviz = pytest.mark.needs("dot")


@pytest.fixture
def draw(tmp_path):
    """Makes a drawing of a file, and reads it."""

    def made(kind, config):
        output = tmp_path / f"drawing.{kind}"
        assert main(["pretty", f"--{kind}", "-o", str(output), "-f", str(config)]) == 0
        return output.read_text()

    return made


@pytest.fixture
def hostile(tmp_path):
    """A router whose arguments are hostile, as its file's name is."""
    path = tmp_path / "<script>alert('name')<!-- \" &.click"
    quoted = (text.replace("\\", "\\\\").replace('"', '\\"') for text in HOSTILE)
    path.write_text("\n".join(f'Idle -> p{n} :: Print("{text}") -> Discard;' for n, text in enumerate(quoted)))
    return path


def svg_boxes(root):
    """The boxes of a drawing, by their elements' names."""
    return {group.get("data-name"): group for group in root.iter(f"{SVG}g") if "box" in group.get("class", "").split()}


def texts(group):
    return [each.text for each in group.iter(f"{SVG}text")]


@needs_graphviz
def test_the_readmes_picture_is_of_the_router(draw):
    """Where the boxes are is Graphviz's business, and changes with its versions."""
    drawings = (ROOT / "docs" / "iprouter.svg").read_text(), draw("svg", IPROUTER)
    shown, now = ({name: texts(box) for name, box in svg_boxes(ElementTree.fromstring(text)).items()} for text in drawings)
    assert shown == now, "make picture"
    assert shown["rt"][:2] == ["rt", "StaticIPLookup"]


@needs_graphviz
def test_boxes_do_not_overlap_and_lines_end_at_ports(draw):
    root = ElementTree.fromstring(draw("svg", IPROUTER))
    frames = [[float(frame.get(key)) for key in ("x", "y", "width", "height")] for frame in root.iter() if frame.get("class") == "frame"]
    assert len(frames) > 80
    for a in frames:
        for b in frames:
            apart = a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]
            assert a is b or apart, (a, b)
    inputs = [points(port) for box in svg_boxes(root).values() for port in box.findall(f"{SVG}polygon")]
    heads = [points(line.find(f"{SVG}polygon"))[-1] for line in root.iter(f"{SVG}g") if line.get("class") == "line"]
    assert heads
    for x, y in heads:
        assert min(abs(x - (left[0] + right[0]) / 2) + abs(y - left[1]) for left, right, _ in inputs) < 4


def points(polygon):
    return [tuple(map(float, point.split(","))) for point in polygon.get("points").split()]


@needs_graphviz
def test_ports_are_black_and_white(draw, tmp_path):
    config = tmp_path / "queue.click"
    config.write_text("FromDevice(eth0) -> q :: Queue -> c :: Counter -> ToDevice(eth0)")
    found = svg_boxes(ElementTree.fromstring(draw("svg", config)))
    assert [each.get("fill") for each in found["q"].findall(f"{SVG}polygon")] == ["#000000"]
    assert found["q"].findall(f"{SVG}rect")[-1].get("fill") == "#ffffff"
    assert [each.get("fill") for each in found["c"].findall(f"{SVG}polygon")] == ["none", "#ffffff"], "an outline, and what it is here"


@needs_graphviz
@pytest.mark.parametrize("kind", ["svg", "dot"])
def test_hostile_arguments_stay_text_in_drawings(draw, hostile, kind):
    text = draw(kind, hostile)
    if kind == "dot":
        text = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=True).stdout
    root = ElementTree.fromstring(text)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {"svg", "title", "g", "rect", "text", "path", "polygon", "a"}
    assert not [name for each in root.iter() for name in each.attrib if name.startswith("on")]
    shown = [each.text or "" for each in root.iter(f"{SVG}text")]
    assert any("</script>" in line for line in shown)
    assert shown.count("Print") == len(HOSTILE)


class Tags(HTMLParser):
    """The tags of a page with their attributes, and what its scripts are."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.within = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.within = dict(attributes).get("type", "script") if tag == "script" else None

    def handle_data(self, data):
        if self.within:
            self.scripts[self.within] = self.scripts.get(self.within, "") + data

    def handle_endtag(self, tag):
        self.within = None


@needs_graphviz
def test_a_page_runs_one_script_and_asks_nobody(draw, hostile):
    page = Tags(draw("html", hostile))
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on") or name in ("src", "href")]
    (policy,) = (attributes["content"] for tag, attributes in page.tags if "http-equiv" in attributes)
    digest = base64.b64encode(hashlib.sha256(page.scripts["script"].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    known = json.loads(page.scripts["application/json"])
    assert known["elements"]["p0"]["config"] == '"</script><script>alert(1)</script>"'


@needs_graphviz
def test_a_page_knows_the_elements_and_their_manual_pages(draw):
    known = json.loads(Tags(draw("html", COMPOUNDS)).scripts["application/json"])
    assert "v0/fr" in known["elements"]["v0/ttl"]["to"] and "v0/ttl" in known["elements"]["v0/fr"]["from"]
    assert known["elements"]["rt"]["where"] == "kernel (XDP)"
    assert known["manuals"]["DecIPTTL"].startswith("DecIPTTL – ")


@needs_graphviz
@pytest.mark.whole
@pytest.mark.needs("chromium")
def test_a_browser_shows_what_the_address_names(draw, tmp_path):
    """The script runs under the page's policy, and finds the drawing inside a compound."""
    draw("html", COMPOUNDS)
    shown = browse(f"file://{tmp_path}/drawing.html#v0%2Fttl", tmp_path)
    assert re.findall(r'<section data-compound="([^"]*)" class="shown"', shown) == ["v0"]
    assert re.findall(r'class="box element chosen"[^>]* data-name="([^"]*)"', shown) == ["v0/ttl"]
    assert "<dd>DecIPTTL</dd>" in shown and "<pre>DecIPTTL – " in shown


@needs_graphviz
@pytest.mark.whole
@pytest.mark.needs("chromium")
def test_a_browser_runs_nothing_that_a_configuration_says(draw, hostile, tmp_path):
    draw("html", hostile)
    shown = browse(f"file://{tmp_path}/drawing.html#p1", tmp_path)
    assert "<dd>Print</dd>" in shown, "the page's own script has run"
    assert (shown.count("<script"), shown.count("<img")) == (2, 0)


def browse(address, folder):
    """A page's elements once its script has run."""
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser", "--dump-dom", address]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


def test_without_graphviz_a_drawing_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setenv("PATH", "/nonexistent")
    assert main(["pretty", "--svg", "-f", str(IPROUTER)]) == 1
    assert "apt-get install graphviz" in capsys.readouterr().err
    assert main(["pretty", "--dot", "-f", str(IPROUTER)]) == 0


def test_drawings_take_values_and_report_mistakes(capfd):
    assert main(["pretty", "--dot", "-f", str(IPROUTER), "MTU0=1234"]) == 0
    assert "1234" in capfd.readouterr().out
    assert main(["pretty", "--dot", "-f", str(IPROUTER), "NOTHING=1"]) == 1
    assert main(["pretty", "-f", str(IPROUTER), "MTU0=1234"]) == 1
    assert main(["pretty", "--svg", "-e", "Idle -> Discrad"]) == 1
    assert "Discard" in capfd.readouterr().err
