"""Every link of every page leads to a file, and to a heading where it names one; and so in the manual."""

import re
from pathlib import Path

import pytest
from tools.manual.__main__ import Manual
from tools.manual.elements import linked, of_click
from tools.manual.links import links, prose
from tools.manual.pages import written

ROOT = Path(__file__).parents[2]


def anchors(text: str) -> set[str]:
    """What its headings are called in links, by GitHub as well as by mkdocs; the second of a name is another."""
    found = [re.match(r"#+ +(.*?)\s*$", line) for _, line, is_prose in prose(text) if is_prose]
    names = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", each[1]) for each in found if each]
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", name).strip().lower()) for name in names}


@pytest.mark.parametrize("file", sorted(written()))
def test_links_between_files_lead_somewhere(file):
    wrong = []
    for link in links((ROOT / file).read_text(), file):
        target = ROOT / link.path
        if not target.exists() or link.anchor and link.anchor not in anchors(target.read_text()):
            wrong.append(f"{file}:{link.line}: {link.target}")
    assert wrong == []


@pytest.fixture(scope="module")
def manual() -> dict[str, str | bytes]:
    return Manual().make()


@pytest.mark.whole
@pytest.mark.needs("dot")
def test_links_of_the_manual_lead_somewhere(manual):
    wrong, seen = [], 0
    for page, text in manual.items():
        for link in links(text, page) if page.endswith(".md") else ():
            seen += 1
            if link.path not in manual or link.anchor and link.anchor not in anchors(manual[link.path]):
                wrong.append(f"{page}:{link.line}: {link.target}")
    assert wrong == [] and seen > 400


@pytest.mark.needs("dot")
def test_every_class_and_every_router_has_its_page(manual):
    from clickbpf.vocabulary.library import Library

    assert {f"elements/{name}.md" for name in Library.standard().names()} < manual.keys()
    for path in (ROOT / "configs").glob("*.click"):
        assert f"configs/{path.stem}.svg" in manual and f"](configs/{path.stem}.svg)" in manual["cookbook.md"]


@pytest.mark.needs("dot")
def test_configurations_that_are_marked_are_drawn(manual):
    marked = {file: (ROOT / file).read_text().count("<!-- drawn -->") for file in written()}
    assert marked["docs/tutorial.md"] >= 3
    for file, page in written().items():
        drawn = re.findall(rf"^!\[.*\]\((pictures/{page.removesuffix('.md')}-.*\.svg)\)$", manual[page], re.MULTILINE)
        assert len(drawn) == marked[file] and all(manual[name].startswith("<svg") for name in drawn)


def test_classes_that_are_named_lead_to_their_pages():
    text = "`Queue`, `ToLinux`, [`Tee`](x.md), `Quueue`\n\n## `Queue`\n\n```click\n`Queue`\n```\n"
    found = linked(text, "papers/of.md")
    assert found == text.replace("`Queue`, `ToLinux`", "[`Queue`](../elements/Queue.md), [`ToLinux`](../elements/ToHost.md)")


def test_what_manual_pages_say_of_click_is_collected():
    said = "Does this. (Click's element does\nthat.)\n\n  - MORE: as in Click's element. Click's element is\nslow."
    assert list(of_click(said)) == ["Click's element does that.", "Click's element is slow."]


@pytest.mark.needs("dot")
def test_no_page_asks_for_anything_from_the_network(manual):
    """Links may lead there; pictures and scripts may not come from there."""
    remote = re.compile(r"""!\[[^\]]*\]\(https?:|(?:src|href)=["']https?:|url\(["']?https?:""")
    assert [page for page, text in manual.items() if page.endswith((".md", ".css", ".js")) and remote.search(text)] == []


def test_every_page_is_in_the_contents():
    contents = re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(contents) == sorted({*written().values(), "commands.md", "differences.md", "elements/index.md"})


def test_a_link_that_leads_nowhere_is_noticed():
    text = "# Head\n\n[a](x.md), `[b](y.md)`, ![c](z.svg#part)\n\n```text\n[d](w.md)\n```\n\n[e](#head) [f](https://example.org)\n"
    found = {(link.path, link.anchor) for link in links(text, "docs/here.md")}
    assert found == {("docs/x.md", ""), ("docs/z.svg", "part"), ("docs/here.md", "head")}
    assert anchors(text) == {"head"}
