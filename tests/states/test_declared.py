"""What classes declare to hold (vocabulary/held.py): that whoever holds something does, and that it is true."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.runtime.routers import LIBRARY, Routers, resumed
from tests.states.learnt import LEARNT
from tests.states.scenes import WAITING

from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.handlers import settings_of
from clickbpf.vocabulary.held import ANEW, COUNTED, KEPT, LOST
from clickbpf.vocabulary.state import Array, Common, Private, Vars, ptr

CLASSES = {name: found for name in LIBRARY.names() if (found := LIBRARY.find(name)).class_name() == name}
ROOT = Path(__file__).parents[2]
#: Files that bring about what classes hold, and replace the router, where that takes more than a scene.
ELSEWHERE = {
    "tests/elements/ipsec/test_numbers_go_on.py": ("IPsecESPEncap", "IPsecESPUnencap", "RadixIPsecLookup"),
    "tests/runtime/test_swap.py": ("FromDump", "ToDump", "ControlSocket"),
    "tests/elements/ip6/test_ip6flowfilter.py": ("IP6FlowFilter",),
    "tests/elements/ip6/test_addresstranslator.py": ("AddressTranslator",),
    "tests/elements/bridge/test_snoopingetherswitch.py": ("SnoopingEtherSwitch",),
    "tests/elements/bridge/test_etherspantree.py": ("EtherSpanTree",),
    "tests/elements/wifi/test_availablerates.py": ("AvailableRates",),
    "tests/elements/wifi/test_linktable.py": ("LinkTable",),
    "tests/elements/counters/test_counterfile.py": ("CounterFile",),
    "tests/elements/ip6/test_ip6routeradvertiser.py": ("IP6RouterAdvertiser",),
    "tests/elements/tcp/test_segments.py": ("TCPConnections",),
    "tests/elements/tcp/test_synproxy.py": ("SYNProxy",),
    "tests/elements/tcpudp/test_dhcpserver.py": ("DHCPServer",),
    "tests/elements/tcpudp/test_rfc2507.py": ("RFC2507Comp", "RFC2507Decomp"),
    "tests/cli/test_accelerate.py": ("LinuxIPLookup", "LinuxIP6Lookup", "LinuxNeighbors"),
}
#: Those whose packets wait for devices and sockets, or are in other classes' code.
BY_OTHERS = {
    "ToDevice", "ToNetmapDevice", "Socket", "RawSocket", "McastSocket", "FromNLANRDump", "AdaptiveRED", "ChatterSocket",
    "MultiReplayUnqueue", "Replay", "ReplayUnqueue", "AggregateLast", "WifiDefrag", "DupPath",
}  # fmt: skip


def signs(class_: type[Element]) -> Iterator[str]:
    """Why a class seems to hold something: hooks for that, pointers, tables, and variables that are neither settings nor arguments."""
    if class_.take_state is not Element.take_state:
        yield "take_state()"
    if "cleanup" in class_.entries:
        yield "CLEANUP"
    settings = {(handlers.state, key) for key, handlers in settings_of(class_)}
    arguments = {argument.name.lower() for argument in class_.args}
    for name, kind in class_.state_types.items():
        for field in kind.fields if not isinstance(kind, Common) else ():
            told = (name, field.name) in settings or field.name in arguments
            if field.type is ptr or (isinstance(kind, Private | Array | Vars) and not told):
                yield f"{name}.{field.name}"


def test_classes_that_hold_something_declare_it():
    silent = {name: why for name, class_ in CLASSES.items() if class_.holds is None and (why := [*signs(class_)])}
    silent = {name: why for name, why in silent.items() if why != ["debugging.debug"]}
    assert not silent, "`holds` is missing (vocabulary/held.py)"


def test_declarations_are_possible():
    """What is kept is taken over; what outlives the process is in memory that the kernel path shares; packets never do."""
    assert [name for name, class_ in CLASSES.items() if class_.holds and not is_possible(class_)] == []


def is_possible(class_: type[Element]) -> bool:
    outlives = any(kind.outlives for kind in class_.state_types.values())
    shared = any(kind.shared for kind in class_.state_types.values())
    lasting = shared and (outlives or bool(class_.runs & {"xdp", "tc"}))
    return any(held.swap == KEPT for held in class_.holds) == (outlives or class_.take_state is not Element.take_state) and all(
        (held.swap != ANEW or held.death != LOST) and (held.swap != COUNTED or held.death == LOST) and (held.death != KEPT or lasting)
        for held in class_.holds
    )


def test_each_of_those_that_keep_or_count_is_tried():
    tried = {*WAITING, *LEARNT, *BY_OTHERS, *(name for names in ELSEWHERE.values() for name in names)}
    assert {name for name, class_ in CLASSES.items() if any(h.swap in (KEPT, COUNTED) for h in class_.holds or ())} <= tried
    for file, names in ELSEWHERE.items():
        assert all(name in (ROOT / file).read_text() for name in names), file


def fates(name: str, event: str) -> set[str]:
    """Of what the class has learnt; packets are another matter."""
    return {getattr(held, event) for held in CLASSES[name].holds if held.death != LOST}


@pytest.fixture
def learnt():
    made = []

    def start(name: str) -> tuple[Routers, str]:
        scene = LEARNT[name]
        made.append(Routers(scene.text))
        fresh = made[-1].read(f"x.{scene.shown}")
        for each in scene.frames:
            made[-1].now.inject("eth0", each)
        for handler, text in scene.writes:
            made[-1].write(f"x.{handler}", text)
        assert made[-1].read(f"x.{scene.shown}") != fresh
        return made[-1], fresh

    yield start
    for each in made:
        each.now.close()


@pytest.mark.parametrize("name", LEARNT)
def test_what_a_swap_does_to_it(learnt, name):
    router, fresh = learnt(name)
    shown = f"x.{LEARNT[name].shown}"
    before = router.read(shown)
    router.replace(LEARNT[name].text)
    found = router.read(shown)
    assert (found == before, found == fresh) == ((True, False) if fates(name, "swap") == {KEPT} else (False, True))


@pytest.mark.parametrize("name", LEARNT)
def test_what_the_death_of_the_runtime_does_to_it(learnt, name):
    router, fresh = learnt(name)
    shown = f"x.{LEARNT[name].shown}"
    before = router.read(shown)
    again = resumed(router.now, LEARNT[name].text)
    found = again.handlers.read(*again.handlers.split(shown))
    again.close()
    assert (found == before, found == fresh) == ((True, False) if fates(name, "death") == {KEPT} else (False, True))
