"""The verifier of Linux 6.1, the oldest kernel that clickbpf runs on, takes what this machine's kernel takes: the kernel paths of all
configurations and of all element classes, on both hooks, and on XDP also for frames in several buffers."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.testing.test_configs import CONFIGS, routers
from tests.testing.test_library import BATCHES, CLASSES, WHOLE, beside, example

from clickbpf.compile import HELPERS, Compilation, check_file, check_text, helper_object, optimised
from clickbpf.objects.hooks import FRAGS_SECTION, HOOKS
from clickbpf.plan import Options
from clickbpf.testing.examples import INDEFINITE
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.sources import c_source

from .started import asked_for, boot, needed

ROUTER = CONFIGS / "iprouter.click"
LIBRARY = Library.standard()
#: How many share the work, and their time for some three hundred objects, with time for others on a busy machine.
MACHINES, SECONDS = 2, 2400


#: A router with queues between CPUs.
SPREAD = "smp-flows spread"
#: What kernel paths are planned for.
KINDS = {**{hook: Options(hook=hook) for hook in HOOKS}, FRAGS_SECTION: Options(frags=True)}


def compilations() -> Iterator[tuple[str, Compilation]]:
    """By their names: a configuration's or the classes', and the kind."""
    for kind, options in KINDS.items():
        for path in routers():
            yield f"{path.stem} {kind}", Compilation(check_file(path, LIBRARY), options)
        for number, text in enumerate(texts()):
            yield f"classes{number:02} {kind}", Compilation(check_text(text, LIBRARY), options)
        router = check_file(ROUTER, LIBRARY)
        yield f"iprouter-chained {kind}", Compilation(router, replace(options, chain=True))
        yield f"iprouter-traced {kind}", Compilation(router, replace(options, traced=()))
        yield f"iprouter-optimised {kind}", Compilation(optimised(router, LIBRARY, 3), options)


    yield SPREAD, Compilation(check_file(CONFIGS / "papers" / "smp-flows.click", LIBRARY), Options(spread=True))


def texts() -> Iterator[str]:
    """Routers with all classes that have a part in the kernel."""
    for names in (*BATCHES, sorted(INDEFINITE.keys() & set(CLASSES))):
        headers = "ip6-checked" if c_source(LIBRARY.find(names[0])).parent.name == "ip6" else "ip-checked"
        yield beside(names, headers, False)
    for name in WHOLE:
        yield example(name).configuration


@pytest.fixture(scope="module")
def refusals(tmp_path_factory) -> dict[str, str]:
    """Each object with the verifier's reason to refuse it, or nothing."""
    made = dict(compilations())
    with ThreadPoolExecutor(2) as pool:
        objects = dict(zip(made, pool.map(lambda each: each.build_bpf().read_bytes(), made.values())))
    objects |= {f"helper-{name}": helper_object(name).read_bytes() for name in HELPERS}
    files = {f"objects/{name}.o": content for name, content in objects.items()}
    shares = [{name: files[name] for name in sorted(files)[number::MACHINES]} for number in range(MACHINES)]
    folders = [tmp_path_factory.mktemp("machine") for _ in shares]
    with ThreadPoolExecutor(MACHINES) as pool:
        machines = pool.map(lambda share, folder: boot("verified.py", folder, share, [], SECONDS), shares, folders)
        found = {name: refusal for each in machines for name, refusal in each.items()}
    assert found.keys() == objects.keys()
    return found


def refused(refusals: dict[str, str], kind: str, classes: bool, least: int) -> dict[str, str]:
    """Those of a kind that were refused, of at least so many."""
    found = {name: why for name, why in refusals.items() if name.endswith(f" {kind}") and name.startswith("classes") == classes}
    assert len(found) > least
    return {name: why for name, why in found.items() if why}


@asked_for
@needed
@pytest.mark.parametrize("kind", KINDS)
def test_configurations(refusals, kind):
    assert refused(refusals, kind, False, 40) == {}


@asked_for
@needed
@pytest.mark.parametrize("kind", KINDS)
def test_classes(refusals, kind):
    assert refused(refusals, kind, True, 20) == {}


@asked_for
@needed
def test_queues_between_cpus(refusals):
    assert refusals[SPREAD] == ""


@asked_for
@needed
def test_what_the_loader_adds(refusals):
    assert {name: refusal for name, refusal in refusals.items() if name.startswith("helper")} == {f"helper-{name}": "" for name in HELPERS}
