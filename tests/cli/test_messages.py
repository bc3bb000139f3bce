"""Messages of commands that can't do what they are asked for: what is wrong, and what would be right."""

import json
import os
import shutil
import subprocess

import pytest
from tests import commands
from tests.axes import few

from clickbpf.cli.load import default_name
from clickbpf.cli.parser import COMMANDS, parse
from clickbpf.errors import ClickError
from clickbpf.load.devices.devices import resolve
from clickbpf.load.files import places
from clickbpf.load.files.places import RunFolder, check_name
from clickbpf.load.process import service

from .conftest import OWN, command, environment, execute, kill

#: Runs a command line without any rights.
UNPRIVILEGED = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--reuid=65534", "--clear-groups", "--")


def run(*words: str, prefix: tuple[str, ...] = (), **more) -> subprocess.CompletedProcess:
    """In a process of its own; one that begins as Python does where another user or other variables are given."""
    if words[:3] == tuple(command()) and not prefix and "env" not in more:
        return commands.run(None, *words[3:], **more)
    return subprocess.run([*prefix, *words], capture_output=True, text=True, timeout=60, **{"env": environment(), **more})


@pytest.fixture
def loaded(router, cable):
    assert execute(router, "load", str(cable)).status == 0
    return OWN


#: Click's tools of these names have another option -h.
OTHERS = ("run", "install")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in OTHERS])
def test_h_is_help(clickbpf, name):
    done = clickbpf(name, "-h")
    assert done.status == 0 and done.out.startswith(f"usage: clickbpf {name} [-h]")


def test_h_of_run_prints_a_handler(clickbpf):
    assert clickbpf("run", "-q", "-e", "i :: Idle", "-h", "i.class").out == "Idle\n"


def test_options_are_suggested(clickbpf, cable):
    done = clickbpf("load", str(cable), "--replce")
    assert done.status == 2 and "did you mean '--replace'?" in done.err


@pytest.mark.parametrize("word, near", [("chekc", "did you mean 'check'?"), ("xyzzy", "see 'clickbpf --help'")])
def test_commands_are_suggested(clickbpf, word, near):
    done = clickbpf(word, "x")
    assert done.status == 2 and done.err.startswith(f"clickbpf: error: there is no command '{word}'") and near in done.err


@pytest.mark.parametrize("wrong, right", [("ipfilter", "IPFilter"), ("todevice", "ToDevice"), ("discrad", "Discard")])
def test_classes_are_suggested_whatever_the_case(clickbpf, wrong, right):
    assert f"did you mean '{right}'?" in clickbpf("doc", wrong).err


def test_handlers_are_suggested(clickbpf):
    done = clickbpf("run", "-q", "-e", "c :: Counter; Idle -> c -> Discard", "-h", "c.cuont")
    assert (done.status, done.err) == (1, "error: no 'c.cuont' handler\nhint: did you mean 'count'?\n")


@pytest.mark.parametrize("name", ["check", "plan", "flatten"])
def test_empty_standard_input(name):
    done = run(*command(name), input=" \n")
    assert (done.returncode, done.stderr) == (
        1, "error: standard input is empty: there is no configuration\nhint: give a FILE, or -e TEXT\n"
    )  # fmt: skip


def test_empty_standard_input_is_a_configuration_for_click():
    done = run(*command("check"), input="", env={**environment(), "CLICKBPF_MESSAGES": "click"})
    assert (done.returncode, done.stderr) == (0, "")


#: Locales in which Python writes UTF-8, and in which it doesn't.
LOCALES = ({"LC_ALL": "C.UTF-8"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})


@pytest.mark.parametrize("locale", [pytest.param(LOCALES[0], marks=pytest.mark.whole), LOCALES[1]])
@pytest.mark.parametrize("words", [("run", "-q", "-h", "p.config"), ("flatten",), ("pretty",), ("xform",)])
def test_text_in_another_encoding_stays_as_it_is(tmp_path, locale, words):
    """Here Latin 1, and a character of UTF-8 beside it."""
    (tmp_path / "x").write_bytes(b'Idle -> p :: Print("caf\xe9 \xe2\x82\xac") -> Discard;')
    done = subprocess.run(command(*words, str(tmp_path / "x")), capture_output=True, env={**environment(), **locale}, timeout=60)
    assert done.returncode == 0 and b'"caf\xe9 \xe2\x82\xac"' in done.stdout, done.stderr


def test_json_of_text_in_another_encoding(tmp_path):
    (tmp_path / "x").write_bytes(b'Idle -> p :: Print("caf\xe9") -> Discard;')
    done = run(*command("flatten", "--json", str(tmp_path / "x")))
    found = {element["name"]: element["config"] for element in json.loads(done.stdout)["elements"]}
    assert found["p"].encode("utf-8", "surrogateescape") == b'"caf\xe9"'


NO_CHARACTER = """1:9: error: the byte 0xff is not UTF-8
    Idle -> \ufffd\ufffd Discard;
            ^
"""
BYTE_ORDER_MARK = """1:1: error: unknown character 'U+FEFF'
    \ufeffIdle;
    ^
hint: save the file without a byte order mark
"""


@pytest.mark.parametrize("content, said", [(b"Idle -> \xff\xe9 Discard;", NO_CHARACTER), (b"\xef\xbb\xbfIdle;", BYTE_ORDER_MARK)])
def test_characters_that_are_none(tmp_path, content, said):
    (tmp_path / "x").write_bytes(content)
    assert run(*command("check", str(tmp_path / "x")), env={**environment(), **LOCALES[0]}).stderr == f"{tmp_path / 'x'}:{said}"


@pytest.mark.parametrize("content", [b"\x7fELF\x02\x01\x01\x00\x00\x00", b"GIF89a\x01\x00\x01\x00"])
def test_a_binary_file_is_one_mistake(clickbpf, tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    done = clickbpf("check", str(tmp_path / "x"))
    assert done.status == 1 and done.err.startswith(f"error: {tmp_path / 'x'} is a binary file, not a configuration\n")
    assert done.err.count("error:") == 1


def test_a_package_that_nothing_provides(clickbpf):
    done = clickbpf("check", "-e", "require(package foo, userlevel);\nrequire(ip7, compact_config); Idle -> Discard")
    assert done.status == 1 and done.err.count("error:") == 2
    assert "<expression>:1:9: error: nothing provides the package 'foo'" in done.err
    assert "<expression>:2:9: error: nothing provides the package 'ip7'" in done.err and "did you mean 'ip6'?" in done.err


def test_a_package_in_clicks_words():
    """Click 2.1 says it so."""
    done = run(*command("check"), "-e", "require(package foo); Idle", env={**environment(), "CLICKBPF_MESSAGES": "click"})
    assert (done.returncode, done.stderr.splitlines()[0]) == (1, "requirement 'foo' not available")


UNINITIALISED = "FromDump(/nonexistent/a) -> Discard;\nb :: FromIPSummaryDump(/nonexistent/b) -> Discard;"


def test_elements_that_cannot_be_initialised_are_reported_together():
    done = run(*command("run"), "-q", "-e", UNINITIALISED)
    assert (done.returncode, [line for line in done.stderr.splitlines() if line.startswith("<")]) == (1, [
        "<expression>:1:1: error: 'FromDump@1': /nonexistent/a: No such file or directory",
        "<expression>:2:1: error: 'b': /nonexistent/b: No such file or directory",
    ])  # fmt: skip


def test_elements_that_cannot_be_initialised_in_clicks_words():
    done = run(*command("run"), "-q", "-e", UNINITIALISED, env={**environment(), "CLICKBPF_MESSAGES": "click"})
    assert (done.returncode, done.stderr.splitlines()) == (1, [
        "config:1: While initializing 'FromDump@1 :: FromDump':", "  /nonexistent/a: No such file or directory",
        "config:2: While initializing 'b :: FromIPSummaryDump':", "  /nonexistent/b: No such file or directory",
        "Router could not be initialized!",
    ])  # fmt: skip


def test_an_interrupt_before_anything_is_imported(tmp_path):
    (tmp_path / "argparse.py").write_text("raise KeyboardInterrupt")
    paths = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    done = run(*command("check"), "-e", "Idle", env={**environment(), "PYTHONPATH": paths})
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.needs("root", "setpriv", "ip", "clang-19")
@pytest.mark.parametrize("words", few([("list",), ("read", "-r", OWN, "c.count"), ("write", "-r", OWN, "c.reset"), ("drops", OWN)], 2))
def test_without_rights_to_look(loaded, words):
    done = run(*command(*words), prefix=UNPRIVILEGED)
    assert done.returncode == 1 and "permission denied" in done.stderr and "hint: run as root" in done.stderr


@pytest.mark.needs("root", "setpriv", "ip", "clang-19")
def test_without_rights_to_unload(loaded):
    done = run(*command("unload", OWN), prefix=UNPRIVILEGED)
    assert done.returncode == 1 and "unloaded" not in done.stderr
    assert done.stderr.startswith("error: unloading needs privileges that this process lacks: CAP_NET_ADMIN")
    assert OWN in places.loaded()


@pytest.mark.needs("root", "ip", "clang-19")
@pytest.mark.parametrize(
    "words",
    few([("unload", ""), ("read", "-r", "", "list"), ("drops", ""), ("load", "--runtime-only", ""), ("load", "-n", "", "-e", "Idle")], 2),
)
def test_an_empty_name_is_nobodys(loaded, words):
    """As that of a shell's variable that isn't set: the only router that is loaded isn't meant."""
    done = execute(None, *words)
    assert (done.status, done.out) == (1, "") and done.err.startswith("error: '' can't be a router's name\n")
    assert OWN in places.loaded()


@pytest.mark.parametrize("name", ["check", "flatten", "pretty", "plan", "build", "run", "uncombine"])
@pytest.mark.parametrize("option", [(), ("-f",)])
def test_an_empty_file_is_not_standard_input(name, option):
    done = run(*command(name, *option, ""), *(["x"] if name == "uncombine" else []), input="Idle -> Discard;")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: cannot read '': No such file or directory\n")


def test_an_empty_device_is_none():
    with pytest.raises(ClickError, match="there is no network device ''"):
        resolve(["eth0"], mapping={"eth0": ""})


def test_a_textfile_that_can_not_be_written(clickbpf, tmp_path):
    """Not the file that was to take its place."""
    path = tmp_path / "no" / "folder"
    done = clickbpf("metrics", "--textfile", str(path))
    assert (done.status, done.err) == (1, f"error: cannot write '{path}': No such file or directory\n")


@pytest.mark.parametrize("words", [("load", "-e", ""), ("load", "--replace", "-e", " \n"), ("load", "-f", os.devnull)])
def test_nothing_to_load(clickbpf, words):
    """Least of all in the place of a router that works."""
    done = clickbpf(*words)
    assert (done.status, done.err) == (1, "error: the configuration is empty: there is nothing to load\n")


@pytest.mark.needs("root", "setpriv")
def test_a_home_that_this_user_can_not_enter(tmp_path):
    tmp_path.chmod(0o700)
    plain = {name: value for name, value in environment().items() if name not in ("CLICKBPF_CACHE", "XDG_CACHE_HOME")}
    done = run(*command("run", "-q", "-e", "Idle"), prefix=UNPRIVILEGED, env={**plain, "HOME": str(tmp_path)}, cwd="/")
    assert done.returncode == 1 and done.stderr.startswith("error: cannot write the cache of compiled files in ")
    assert done.stderr.endswith("hint: set CLICKBPF_CACHE to a directory that you, and only you, can write to\n")


@pytest.mark.parametrize("closed", few(["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"], 2))
@pytest.mark.parametrize("words, status", [(("check", "-e", "Idle -> Foo"), 1), (("flatten", "-e", "Idle"), 0), (("doc", "Idle"), 0)])
def test_streams_that_are_closed(closed, words, status):
    done = run("sh", "-c", f'"$@" {closed}', "sh", *command(*words))
    assert done.returncode == status and "Traceback" not in done.stderr
    assert bool(done.stdout) == (not status and ">&-" not in closed.replace("2>&-", ""))


def test_what_is_printed_goes_into_no_other_file(tmp_path):
    """With standard output closed, the file that is written next has its number, 1, unless something else takes that."""
    done = run("sh", "-c", '"$@" >&-', "sh", *command("run", "-q", "-o", str(tmp_path / "flat"), "-h", "list", "-e", "i :: Idle"))
    assert done.returncode == 0 and (tmp_path / "flat").read_text() == "i :: Idle;\n"


def test_all_routers_and_one():
    done = run(*command("unload", "--all", "x"))
    assert (done.returncode, done.stderr) == (1, "error: --all and 'x' exclude each other\nhint: leave one of them out\n")


@pytest.mark.parametrize("file, name", [(".click", "_click"), ("-z b.click", "_z_b"), ("x" * 80 + ".click", "x" * 64), ("", "_")])
def test_every_file_makes_a_name(file, name):
    assert default_name(parse(["load", "-f", file])) == check_name(name)


@pytest.mark.needs("root", "ip", "clang-19")
@pytest.mark.parametrize("words", few([("load", "--runtime-only", OWN), ("read", "-r", OWN, "c.count"), ("drops", OWN)], 2))
def test_the_folder_is_lost(loaded, words):
    kill(service.alive(RunFolder.of(OWN)))
    shutil.rmtree(RunFolder.of(OWN).root)
    done = execute(None, *words)
    assert (done.status, done.err) == (
        1, f"error: {OWN} is only partly loaded: its folder is gone\nhint: clickbpf unload {OWN}, then load it again\n"
    )  # fmt: skip


@pytest.mark.needs("root", "ip", "clang-19")
def test_the_folder_is_lost_before_a_replacement(router, loaded, cable):
    kill(service.alive(RunFolder.of(OWN)))
    shutil.rmtree(RunFolder.of(OWN).root)
    done = execute(router, "load", "--replace", str(cable))
    assert done.status == 1 and "is only partly loaded" in done.err
    assert execute(router, "unload", OWN).status == 0
    assert execute(router, "load", str(cable)).status == 0


@pytest.mark.needs("root", "ip", "clang-19")
def test_the_runtime_of_nothing(clickbpf):
    done = clickbpf("load", "--runtime-only", OWN)
    assert done.status == 1 and f"no router named {OWN} is loaded" in done.err


@pytest.mark.needs("root", "ip", "prlimit", "clang-19")
@pytest.mark.parametrize("limit", few([8, 10, 12, 14, 15, 16, 17, 18, 20, 24], 2))
def test_too_few_files_may_be_open(router, cable, limit):
    execute(router, "plan", str(cable))
    done = run(*router.command("prlimit", f"--nofile={limit}", *command("load", str(cable))))
    assert done.returncode in (0, 1)
    if done.returncode:
        assert "files open" in done.stderr or "Too many open files" in done.stderr
        assert "ulimit -n" in done.stderr and "refused" not in done.stderr and "Traceback" not in done.stderr
        assert OWN not in places.loaded()


@pytest.mark.needs("root", "unshare", "mount", "clang-19")
@pytest.mark.parametrize("size, words", [("24k", ("build",)), pytest.param("96k", ("build", "--native"), marks=pytest.mark.whole)])
def test_a_full_disk(tmp_path, size, words):
    """It is clang that finds it full."""
    (tmp_path / "cache").mkdir()
    script = f'mount -t tmpfs -o size={size},mode=0700 none "$CLICKBPF_CACHE" && exec "$@"'
    config = "FromDevice(eth0) -> CheckIPHeader(14) -> Discard;"
    line = command(*words, "-o", str(tmp_path / "x"), "-e", config)
    cache = {**environment(), "CLICKBPF_CACHE": str(tmp_path / "cache")}
    done = run("sh", "-c", script, "sh", *line, prefix=("unshare", "--mount"), env=cache)
    assert (done.returncode, done.stderr) == (
        1, f"error: cannot write the cache of compiled files in {tmp_path / 'cache'}: No space left on device\n"
           "hint: free some space, or set CLICKBPF_CACHE to a directory on another disk\n"
    )  # fmt: skip


#: An element with a wrong argument, and what Click says about the argument.
WRONG_ARGUMENTS = {
    "Idle -> Queue(abc) -> Discard": "CAPACITY: invalid number",
    "Idle -> Paint(300) -> Discard": "COLOR: out of range, bound 255",
    "Idle -> Queue(99999999999) -> Discard": "CAPACITY: out of range, bound 4294967295",
    "Idle -> Paint(1, 99) -> Discard": "ANNO: parse error",
    "Idle -> Paint(1, foo) -> Discard": "ANNO: parse error",
    "InfiniteSource(ACTIVE maybe) -> Discard": "ACTIVE: parse error",
    "TimedSource(-1) -> Discard": "INTERVAL: parse error",
    "Idle -> FixIPSrc(1.2.3) -> Discard": "IPADDR: parse error",
    "Idle -> EtherEncap(0x800, 1:1:1:1:1, 2:2:2:2:2:2) -> Discard": "SRC: parse error",
    "Idle -> IPEncap(foo, 1.2.3.4, 5.6.7.8) -> Discard": "PROTO: invalid number",
    "Idle -> UDPIPEncap(1.2.3.4, foo, 5.6.7.8, 9) -> Discard": "SPORT: parse error",
    "Idle -> UDPIPEncap(1.2.3.4, 99999, 5.6.7.8, 9) -> Discard": "SPORT: overflow, range 0-65535",
    "Idle -> Queue -> BandwidthShaper(x) -> Discard": "RATE: parse error",
    "Idle -> Queue -> BandwidthShaper(99999999999999999999) -> Discard": "RATE: out of range",
    "Idle -> RandomSample(x) -> Discard": "P: parse error",
    "Idle -> Queue -> Unqueue2 -> Discard": "Unqueue2 is deprecated, you should probably use Unqueue",
    "Idle -> MSQueue -> Discard": "warning: MSQueue is deprecated, use ThreadSafeQueue instead",
    "Idle -> ToSocket(UDP, 127.0.0.1, 4711)": "warning: ToSocket is deprecated, use Socket instead",
    "FromSocket(UDP, 127.0.0.1, 4711) -> Discard": "warning: FromSocket is deprecated, use Socket instead",
}


@pytest.mark.parametrize("text", WRONG_ARGUMENTS)
def test_wrong_arguments_in_the_words_of_click(clickbpf, monkeypatch, text):
    monkeypatch.setenv("CLICKBPF_MESSAGES", "click")
    assert clickbpf("check", "-e", text).err.splitlines()[1].strip() == WRONG_ARGUMENTS[text]
