"""The page as people use it, in a headless Chromium."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import execute
from tests.waiting import eventually

from clickbpf.compile import check_file
from clickbpf.load.files.places import RunFolder
from clickbpf.vocabulary.library import Library

from .browser import Browser
from .conftest import ARP, IP, OTHER, OWN

pytestmark = [pytest.mark.whole, pytest.mark.needs("chromium", "dot")]

IPROUTER = Path(__file__).parents[2] / "configs" / "iprouter.click"
BOXES = "[...document.querySelectorAll('#graph .box')].map(e => e.getAttribute('aria-label').split(',')[0])"


@pytest.fixture
def browser():
    with Browser() as made:
        yield made
        assert made.complaints() == []


def box(name: str) -> str:
    return f'#graph .box[aria-label^="{name},"]'


def choose(browser: Browser, name: str) -> None:
    """As by a click: boxes of a large graph are too small for a mouse."""
    browser.wait(f"!!document.querySelector({json.dumps(box(name))})")
    browser.run(f"document.querySelector({json.dumps(box(name))}).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    browser.wait(f"document.querySelector('#panels h2')?.textContent === {json.dumps(name)}")


def text(selector: str) -> str:
    return f"document.querySelector({json.dumps(selector)})?.textContent"


def test_the_graph_of_a_file(browser, serve):
    page = serve(IPROUTER)
    browser.open(page.address)
    checked = check_file(IPROUTER, Library.standard())
    browser.wait(f"document.querySelectorAll('#graph .box').length === {len(checked.instances)}")
    assert set(browser.run(BOXES)) == set(checked.instances)
    assert browser.run("document.querySelectorAll('#graph .line').length") == len(checked.router.connections)
    assert browser.run("location.search") == "", "the token is not in the address any more"
    assert "kernel (XDP)" in browser.run(text("#legend")) and "user space" in browser.run(text("#legend"))
    choose(browser, "dt0")
    assert "decrements the IP time-to-live" in browser.run(text("#panels .page"))
    browser.run("document.getElementById('search').focus()")
    browser.type("icmp6error")
    errors = [element for element in checked.router.elements if element.class_name == "ICMP6Error"]
    browser.wait(f"document.querySelectorAll('#graph .box.found').length === {len(errors)}")


def test_a_telephone_shows_all_of_it(serve):
    """Nothing is wider than the screen, the panel is below the graph; arrows move between tabs."""
    with Browser(390, 844) as browser:
        browser.open(serve(IPROUTER).address)
        browser.wait("document.querySelectorAll('#graph .box').length > 100")
        assert browser.run("[document.documentElement.scrollWidth, document.querySelector('aside').offsetWidth]") == [390, 390]
        tops = browser.run("['#graph', '#legend', 'aside'].map(e => document.querySelector(e).getBoundingClientRect().top)")
        assert tops == sorted(tops) and len(set(tops)) == 3
        # As beside a router under load.
        browser.run("document.getElementById('totals').textContent = '1.23 M packets/s, 456 k dropped/s'")
        field = "document.getElementById('search')"
        room = f"(s => {field}.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight))(getComputedStyle({field}))"
        written = f"(c => (c.font = getComputedStyle({field}).font, c.measureText({field}.placeholder).width))"
        assert browser.run(f"{room} >= {written}(document.createElement('canvas').getContext('2d'))"), "the whole placeholder can be read"
        # The first input is in the middle, and can be read.
        label = "document.querySelector('#graph .box[data-name=in0] text')"
        name = browser.run(f"(r => [r.left, r.right, r.height])({label}.getBoundingClientRect())")
        assert 150 < name[0] < name[1] < 240 and name[2] > 8
        browser.run("document.querySelector('[role=tab]').focus()")
        browser.press("ArrowLeft", 37)
        assert browser.run(text("[role=tab][aria-selected=true]")) == "Packets"


def test_a_path_is_followed(browser, serve, tmp_path):
    file = tmp_path / "a.click"
    file.write_text("Idle -> a :: Null -> t :: Tee -> b :: Null -> Discard; t[1] -> c :: Null -> d :: Discard; Idle -> e :: Null -> d;")
    browser.open(serve(file).address)
    choose(browser, "c")

    def follow(direction: str) -> set[str]:
        browser.run(f"[...document.querySelectorAll('.actions button')].find(e => e.textContent === '{direction}').click()")
        return set(browser.run(BOXES.replace("#graph .box", "#graph .box.on")))

    assert {name for name in follow("Before it") if "@" not in name} == {"a", "t", "c"}
    assert follow("After it") == {"c", "d"}
    assert {name for name in follow("Both") if "@" not in name} == {"a", "t", "c", "d"}
    assert follow("Both") == set(), "once more ends it"


def test_compounds_fold_and_unfold(browser, serve, tmp_path):
    file = tmp_path / "a.click"
    inner, outer = "elementclass In { input -> n :: Null -> output }", "elementclass Out { input -> i :: In -> output }"
    file.write_text(f"{inner} {outer} Idle -> o :: Out -> Discard;")
    browser.open(serve(file).address)
    browser.wait(f"{BOXES}.includes('o')")
    browser.run(f"document.querySelector({json.dumps(box('o'))}).dispatchEvent(new MouseEvent('dblclick', {{bubbles: true}}))")
    browser.wait(f"{BOXES}.includes('o/i') && !{BOXES}.includes('o')")
    browser.click("#fold")
    browser.wait(f"{BOXES}.includes('o')")
    browser.click("#fold")
    browser.wait(f"{BOXES}.includes('o/i/n')")


def test_what_a_hostile_file_says_stays_text(browser, serve, tmp_path):
    evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    file = tmp_path / "<b onmouseover=alert(1)>.click"
    file.write_text(f"Idle -> p :: Print({json.dumps(evil)}) -> Discard;")
    browser.open(serve(file).address)
    choose(browser, "p")
    assert "<img" in browser.run(text("#panels")) and browser.run("document.querySelectorAll('img').length") == 1
    file.write_text("Idle -> Queue(<img src=x onerror=alert(2)>) -> Discard;")
    browser.run("location.reload()")
    browser.wait("document.getElementById('notice')?.hidden === false")
    assert "<img" in browser.run(text("#notice"))
    assert browser.run("document.title").endswith("clickbpf")


@pytest.mark.needs("root", "ip", "clang-19")
def test_a_running_router(browser, serve, loaded, send):
    browser.open(serve("--write", OWN).address)
    browser.wait(f"{BOXES}.includes('arp') && document.getElementById('state').textContent === 'running'")

    def seen() -> bool:
        send(*[ARP] * 70, *[IP] * 50, *[OTHER] * 30)
        return all(browser.run(f"document.querySelectorAll('#graph {kind}').length >= 2") for kind in (".line.flows", ".drops"))

    assert eventually(seen), "no rates and drops"
    assert browser.run("[...document.querySelectorAll('text.rate')].some(e => /\\d/.test(e.textContent))")
    assert browser.run("document.querySelector('.level.full') !== null"), "the queue of 2 is full"
    assert "rate unknown" in browser.run(text("#legend"))
    choose(browser, "q")
    browser.wait(f"/FULL/.test({text('#panels')})")
    choose(browser, "held")
    browser.wait("document.querySelector('[data-handler=active]') !== null")
    browser.click("[data-handler=active]")
    browser.wait("document.querySelector('.handlers form input') !== null")
    browser.click(".handlers form input")
    browser.type("true")
    browser.press("Enter", 13)
    browser.wait(f"{text('.handlers [role=status]')} === 'written'")
    assert execute(None, "read", "-r", OWN, "held.active").out.strip() == "true"
    browser.run("document.querySelector('.handlers form input').select()")
    browser.type("perhaps")
    browser.press("Enter", 13)
    browser.wait("document.querySelector('.handlers .error') !== null")


def type_text(browser: Browser, text: str) -> None:
    """In the place of all that is in the editor."""
    browser.run("(e => { e.focus(); e.select(); })(document.querySelector('.editor textarea'))")
    browser.type(text)


def open_tab(browser: Browser, name: str) -> None:
    browser.run(f"[...document.querySelectorAll('#tabs button')].find(e => e.textContent === '{name}').click()")


def test_mistakes_as_one_types(browser, serve, tmp_path):
    file = tmp_path / "a.click"
    file.write_text("Idle -> a :: Counter -> Discard;\n")
    browser.open(serve(file).address)
    browser.wait(f"{BOXES}.includes('a')")
    open_tab(browser, "Configuration")
    browser.wait("document.querySelector('.editor textarea').value.startsWith('Idle')")
    type_text(browser, "Idle -> a :: Countre -> Discard;\nIdle -> b :: Counter -> Discard;\n")
    browser.wait(f"{text('.mistake .error')} === \"unknown element class 'Countre'\"")
    assert browser.run(text(".wrong-error")) == "Countre" and browser.run(text(".numbering .error")) == "1"
    assert "Counter" in browser.run(text(".mistake .quiet"))
    browser.click(".mistake button")
    assert browser.run("document.querySelector('.editor textarea').selectionStart") == len("Idle -> a :: ")
    type_text(browser, "Idle -> a :: Counter -> b :: Null -> Discard;\n")
    browser.wait(f"{BOXES}.includes('b') && document.querySelector('.mistake') === null")
    assert browser.run(text(".said summary")) == "Plan: 4 elements"
    assert file.read_text().startswith("Idle -> a :: Counter -> Discard")


def test_words_are_completed_and_the_file_is_saved(browser, serve, tmp_path):
    file = tmp_path / "a.click"
    file.write_text("Idle -> a :: Counter -> Discard;\n")
    browser.open(serve("--write", file).address)
    browser.wait(f"{BOXES}.includes('a')")
    open_tab(browser, "Configuration")
    browser.wait("document.querySelector('.editor textarea').value.startsWith('Idle')")
    assert browser.run("document.querySelector('#save') === null"), "nothing is to be saved yet"
    type_text(browser, "Idle -> b :: Radix")
    for character in "IPLoo":
        browser.type(character)
    browser.wait("document.querySelector('.completion [aria-selected=true] b')?.textContent === 'RadixIPLookup'")
    browser.press("Enter", 13)
    field = "document.querySelector('.editor textarea')"
    browser.wait(f"{field}.value === 'Idle -> b :: RadixIPLookup' && document.querySelector('.completion').hidden")
    browser.type("(0/0 0) -> Discard;\n")
    browser.wait(f"{BOXES}.includes('b') && document.querySelector('#save') !== null")
    browser.click("#save")
    browser.wait(f"document.querySelector('#save') === null && !document.querySelector('#stage.previews') && {BOXES}.includes('b')")
    assert file.read_text() == "Idle -> b :: RadixIPLookup(0/0 0) -> Discard;\n"


def test_a_file_of_windows_is_not_edited_before_somebody_types(browser, serve, tmp_path):
    file = tmp_path / "a.click"
    file.write_bytes(b"Idle -> a :: Counter\r\n-> Discard;\r\n")
    browser.open(serve("--write", file).address)
    browser.wait(f"{BOXES}.includes('a')")
    open_tab(browser, "Configuration")
    browser.wait(f"{text('.said summary')} === 'Plan: 3 elements'")
    assert browser.run("document.querySelector('#save') === null")
    browser.run("(e => { e.focus(); e.setSelectionRange(0, 0); })(document.querySelector('.editor textarea'))")
    browser.type("// one\n")
    browser.wait("document.querySelector('#save') !== null")
    browser.click("#save")
    browser.wait("document.querySelector('#save') === null")
    assert file.read_bytes() == b"// one\r\nIdle -> a :: Counter\r\n-> Discard;\r\n"


@pytest.mark.needs("root", "ip", "clang-19")
def test_a_swap_on_trial_is_kept(browser, serve, loaded):
    browser.open(serve("--write", OWN).address)
    browser.wait(f"{BOXES}.includes('arp')")
    open_tab(browser, "Configuration")
    browser.wait("document.querySelector('#prepare')?.disabled === false")
    browser.click("#prepare")
    browser.wait("document.querySelector('#try') !== null")
    browser.click("#try")
    browser.wait("document.getElementById('trial').hidden === false && document.getElementById('keep') !== null")
    browser.click("#keep")
    browser.wait("document.getElementById('trial').hidden")
    assert not RunFolder.of(OWN).unconfirmed.exists()


@pytest.mark.whole
@pytest.mark.needs("root", "ip", "clang-19")
def test_a_swap_after_it_was_shown(browser, serve, loaded):
    browser.open(serve("--write", OWN).address)
    browser.wait(f"{BOXES}.includes('arp')")
    open_tab(browser, "Configuration")
    browser.wait("document.querySelector('#prepare')?.disabled === false")
    typed = browser.run("document.querySelector('.editor textarea').value") + "\nIdle -> fresh :: Counter -> Discard;\n"
    type_text(browser, typed)
    browser.wait(f"{BOXES}.includes('fresh') && document.querySelector('#prepare')?.disabled === false")
    browser.click("#prepare")
    browser.wait("/fresh :: Counter is added/.test(document.querySelector('.change').textContent)")
    assert execute(None, "read", "-r", OWN, "fresh.count").status == 1
    browser.click("#swap")
    browser.wait(f"/runs the new configuration/.test({text('.change')})")
    assert execute(None, "read", "-r", OWN, "fresh.count").out.strip() == "0"
    browser.wait(f"{BOXES}.includes('fresh') && !document.querySelector('#stage').classList.contains('previews')")


def test_a_packet_is_followed_on_the_graph(browser, serve):
    browser.open(serve(IPROUTER).address)
    browser.wait(f"{BOXES}.includes('dt1')")
    open_tab(browser, "Packets")
    field = "document.querySelector('[aria-label=\"To the Ethernet address\"]')"
    browser.run(f"{field}.value = '02:00:00:00:00:10'; {field}.dispatchEvent(new Event('input'))")
    browser.click("#send")
    browser.wait("document.querySelector('.path.shown') !== null")
    on = set(browser.run(BOXES.replace("#graph .box", "#graph .box.on")))
    assert {"in0", "c0", "ip", "rt", "cp1", "dt1", "fr1", "arpq1"} <= on and not on & {"dt0", "in1", "six0"}
    assert browser.run("document.querySelectorAll('#graph .line.on').length") == len(on) - 1
    assert "ip ttl 64 -> 63" in browser.run(text(".path.shown"))
    assert browser.run("document.querySelectorAll('.path').length") >= 2, "the ARP request, too"


@pytest.mark.whole
def test_a_router_of_two_thousand_elements(browser, serve, tmp_path):
    """All of it is drawn, found, and followed; texts that can't be read are left out."""
    chains = (" -> ".join(["Idle", *(f"e{number}x{place} :: Null" for place in range(98)), "Discard"]) for number in range(20))
    file = tmp_path / "large.click"
    file.write_text(";\n".join(chains))
    browser.open(serve(file).address)
    browser.wait("document.querySelectorAll('#graph .box').length === 2000")
    assert browser.run("document.querySelectorAll('#graph .line').length") == 20 * 99
    browser.click("#fit")
    assert browser.run("getComputedStyle(document.querySelector('#graph .box text')).display") == "none"
    browser.run("document.getElementById('search').focus()")
    browser.type("e7x50")
    browser.wait("document.querySelectorAll('#graph .box.found').length === 1")
    browser.press("Enter", 13)
    browser.wait("document.querySelector('#panels h2')?.textContent === 'e7x50'")
    assert browser.run("getComputedStyle(document.querySelector('#graph .box.chosen text')).display") != "none"
