"""The verifier of Linux 6.1, the oldest kernel that clickbpf runs on, takes what this machine's kernel takes: the kernel paths of all
configurations and of all element classes, on both hooks."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.testing.test_configs import CONFIGS, routers
from tests.testing.test_library import BATCHES, CLASSES, WHOLE, beside, example

from clickbpf.compile import Compilation, check_file, check_text, member_object, optimised, sending_object, tohost_object
from clickbpf.objects.hooks import HOOKS
from clickbpf.plan import Options
from clickbpf.testing.examples import INDEFINITE
from clickbpf.vocabulary.library import Library

from .started import asked_for, boot, needed

ROUTER = CONFIGS / "iprouter.click"
LIBRARY = Library.standard()
#: For some two hundred objects, with time for others on a busy machine.
SECONDS = 2400


def compilations() -> Iterator[tuple[str, Compilation]]:
    """By their names: a configuration's or the classes', and the hook."""
    for hook in HOOKS:
        options = Options(hook=hook)
        for path in routers():
            yield f"{path.stem} {hook}", Compilation(check_file(path, LIBRARY), options)
        for number, text in enumerate(texts()):
            yield f"classes{number:02} {hook}", Compilation(check_text(text, LIBRARY), options)
        router = check_file(ROUTER, LIBRARY)
        yield f"iprouter-chained {hook}", Compilation(router, replace(options, chain=True))
        yield f"iprouter-traced {hook}", Compilation(router, replace(options, traced=()))
        yield f"iprouter-optimised {hook}", Compilation(optimised(router, LIBRARY, 3), options)


def texts() -> Iterator[str]:
    """Routers with all classes that have a part in the kernel."""
    for names in (*BATCHES, sorted(INDEFINITE.keys() & set(CLASSES))):
        headers = "ip6-checked" if LIBRARY.find(names[0]).c_source().parent.name == "ip6" else "ip-checked"
        yield beside(names, headers, False)
    for name in WHOLE:
        yield example(name).configuration


@pytest.fixture(scope="module")
def refusals(tmp_path_factory) -> dict[str, str]:
    """Each object with the verifier's reason to refuse it, or nothing."""
    made = dict(compilations())
    with ThreadPoolExecutor(2) as pool:
        objects = dict(zip(made, pool.map(lambda each: each.build_bpf().read_bytes(), made.values())))
    for name, helper in (("sending", sending_object()), ("member", member_object()), ("tohost", tohost_object())):
        objects[f"helper-{name}"] = helper.read_bytes()
    files = {f"objects/{name}.o": content for name, content in objects.items()}
    found = boot("verified.py", tmp_path_factory.mktemp("machine"), files, [], SECONDS)
    assert found.keys() == objects.keys()
    return found


@asked_for
@needed
@pytest.mark.parametrize("hook", HOOKS)
def test_configurations(refusals, hook):
    of_hook = {name: refusal for name, refusal in refusals.items() if name.endswith(f" {hook}") and not name.startswith("classes")}
    assert len(of_hook) > 40
    assert {name: refusal for name, refusal in of_hook.items() if refusal} == {}


@asked_for
@needed
@pytest.mark.parametrize("hook", HOOKS)
def test_classes(refusals, hook):
    of_hook = {name: refusal for name, refusal in refusals.items() if name.endswith(f" {hook}") and name.startswith("classes")}
    assert len(of_hook) > 20
    assert {name: refusal for name, refusal in of_hook.items() if refusal} == {}


@asked_for
@needed
def test_what_the_loader_adds(refusals):
    assert {name: refusal for name, refusal in refusals.items() if name.startswith("helper")} == dict.fromkeys(
        ("helper-member", "helper-sending", "helper-tohost"), ""
    )
