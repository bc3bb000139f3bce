"""Rights of control sockets' clients: what a handler does beyond the router's own work is not for everybody who can connect."""

import dis
import re
import socket
from contextlib import closing, contextmanager
from pathlib import Path
from types import CodeType

import pytest

from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.control import Serving
from clickbpf.runtime.handlers import Failure, HandlerError
from clickbpf.runtime.listening import ControlServer
from clickbpf.runtime.session import Session
from clickbpf.vocabulary.handlers import value_handlers
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.rights import Right

KEY, OTHER = "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"
TUNNEL = f"10.0.0.0/8 1.2.3.4 1 4097 {KEY} {OTHER} 1 64"
TEXT = f"""
a :: AggregateCounter; Idle -> a -> n :: Counter -> Discard;
Idle -> aes :: IPsecAES(1, {KEY}, IGNORE 0) -> sha :: IPsecAuthHMACSHA1(0, KEY {OTHER}) -> Discard;
Idle -> wep :: WepEncap("\\<{KEY}>", KEYID 2) -> Discard; Idle -> WepDecap(KEY {OTHER[:16]}) -> Discard;
Idle -> rt :: RadixIPsecLookup({TUNNEL}, 0.0.0.0/0 0); rt[0], rt[1] -> Discard;
"""


@pytest.fixture
def client(run):
    """client(arguments) runs the router with a ControlSocket of these arguments, and is connected to it by TCP."""
    clients = []

    def connect(arguments: str = "") -> ControlClient:
        router = run(f"c :: ControlSocket(TCP, 0, LOCALHOST true{arguments}); {TEXT}")
        clients.append(ControlClient(("127.0.0.1", int(router.handlers.read("c", "port")))))
        clients[-1].router = router
        return clients[-1]

    yield connect
    for each in clients:
        each.close()


def refused(call, *arguments) -> None:
    with pytest.raises(HandlerError, match="Permission denied") as caught:
        call(*arguments)
    assert caught.value.failure is Failure.PERMISSION


@pytest.mark.parametrize("kind", ["text", "ascii", "ip", "pdf"])
def test_no_client_writes_a_file_of_its_choice(client, tmp_path, kind):
    refused(client().write, f"a.write_{kind}_file", str(tmp_path / "made"))
    assert not (tmp_path / "made").exists()


def test_no_client_has_the_router_call_what_it_may_not(client, tmp_path):
    """`count_call` writes to any handler when the next packet comes: the router would do what its client can't."""
    stranger = client()
    for call in ("n.count_call", "n.byte_count_call", "a.count_call", "a.aggregate_call"):
        refused(stranger.write, call, f"1 a.write_text_file {tmp_path}/made")


def test_no_client_changes_the_configuration(client):
    stranger = client()
    Session(stranger.router, lambda text: pytest.fail("it was obeyed"))
    refused(stranger.write, "hotconfig", "Script(...)")


def test_rights_are_given_one_by_one(client, tmp_path):
    trusted = client(", RIGHTS FILES")
    trusted.write("a.write_text_file", str(tmp_path / "made"))
    assert (tmp_path / "made").exists()
    refused(trusted.write, "n.count_call", "1 stop")
    client(", RIGHTS FILES CALLS").write("n.count_call", "1 stop")


def test_processes_of_the_same_user_have_all(run, tmp_path):
    run(f"ControlSocket(UNIX, {tmp_path}/control); {TEXT}")
    with ControlClient(tmp_path / "control") as owner:
        owner.write("a.write_text_file", str(tmp_path / "made"))
        owner.write("n.count_call", "1 stop")
        assert KEY in owner.read("config") and KEY in owner.read("aes.config")


def test_scripts_and_the_configuration_do_everything_as_before(run, tmp_path):
    run(f"{TEXT} Script(write a.write_text_file {tmp_path}/made, write n.count_call '1 stop', save flatconfig {tmp_path}/flat);").settle()
    assert (tmp_path / "made").exists() and KEY in (tmp_path / "flat").read_text()


def test_keys_are_not_shown(client):
    stranger = client()
    assert stranger.read("aes.config") == "1, <key>, IGNORE 0"
    assert stranger.read("sha.config") == "0, KEY <key>"
    assert stranger.read("rt.config") == "10.0.0.0/8 1.2.3.4 1 4097 <key> <key> 1 64, 0.0.0.0/0 0"
    for handler in ("config", "flatconfig"):
        text = stranger.read(handler)
        assert "IPsecAES(1, <key>, IGNORE 0)" in text and "WepEncap(<key>, KEYID 2)" in text and "WepDecap(KEY <key>)" in text
        assert KEY not in text and OTHER[:16] not in text
    trusted = client(", RIGHTS SECRETS")
    for handler in ("rt.table", "wep.key"):
        refused(stranger.read, handler)
        assert KEY in trusted.read(handler).lower()


def test_a_configuration_without_secrets_is_shown_as_it_was_written(run):
    text = "c :: ControlSocket(TCP, 0, LOCALHOST true); // as written\nIdle -> Discard;\n"
    router = run(text)
    with ControlClient(("127.0.0.1", int(router.handlers.read("c", "port")))) as client:
        assert client.read("config") == text


def test_checks_say_what_calls_would(client):
    stranger = client()
    assert stranger._socket.family == socket.AF_INET
    for command in ("CHECKWRITE a.write_file", "CHECKREAD rt.table"):
        with pytest.raises(HandlerError, match="Permission denied"):
            stranger.call(command)
    stranger.call("CHECKREAD aes.config")


# -- reading that acts ------------------------------------------------------------------------------------------------

ACTING = """
s :: Script(TYPE PASSIVE, set n $(add $(d.count) 1), print >>FILE "ran", return ran);
p :: Script(TYPE PROXY, print >>FILE "proxied", return $0);
v :: Script(TYPE PASSIVE, export word "a b"); d :: Counter; all :: HandlerAggregate(s);
i :: InfiniteSource(LIMIT 0) -> w :: Switch(0) -> d -> Discard; w[1] -> Discard;
"""
#: Click's CLICK_LLRPC_SET_SWITCH, with a switch's output.
SET_SWITCH = f"w#{0x80000000 | 4 << 16 | 0x4000 | 6:x}"


@pytest.fixture
def acting(run, tmp_path):
    """acting(arguments of the ControlSocket): the router's handlers, and a client of this user by a UNIX socket."""
    clients = []

    def connect(arguments: str) -> ControlClient:
        router = run(f"ControlSocket(UNIX, {tmp_path}/{len(clients)}{arguments}); {ACTING.replace('FILE', str(tmp_path / 'made'))}")
        clients.append(ControlClient(tmp_path / str(len(clients))))
        clients[-1].router = router
        return clients[-1]

    yield connect
    for each in clients:
        each.close()


def call_llrpc(client: ControlClient, data: bytes) -> None:
    client._send(f"LLRPC {SET_SWITCH} {len(data)}\r\n".encode() + data, "llrpc")
    client._data()


def nothing_acts(client: ControlClient, made: Path) -> None:
    for handler in ("s.run", "p.anything", "v.shift", "all.add"):
        name, argument = (handler, "word") if handler == "v.shift" else (handler, "run" if handler == "all.add" else "")
        with pytest.raises(HandlerError, match="Permission denied|changes something"):
            client.read(name, argument)
        each = next(client.read_each([f"{name} {argument}"]))
        assert isinstance(each, HandlerError), "reading many at once is no way around it"
    refused(call_llrpc, client, bytes([1, 0, 0, 0]))
    assert not made.exists() and client.router.handlers.read("w", "switch") == "0"
    assert client.read("v.get", "word") == '"a b"', "what only looks is for everybody"
    assert not client.allows("s.run", False) and not client.allows("p.anything", False) and client.allows("v.get", False)


@pytest.mark.parametrize("renounces", [False, True], ids=["read-only", "renounced"])
def test_who_may_only_look_runs_no_script(acting, tmp_path, renounces):
    """Not even the router's owner, on a socket that is READONLY; and nobody for whom others call."""
    client = acting("" if renounces else ", READONLY true")
    if renounces:
        client.call("RENOUNCE")
    nothing_acts(client, tmp_path / "made")


@pytest.mark.parametrize("arguments", ["", ", READONLY true, RIGHTS ACT"])
def test_who_may_write_reads_what_acts(acting, tmp_path, arguments):
    client = acting(arguments)
    assert client.read("s.run") == "ran" and client.read("p.anything") == "anything" and client.read("v.shift", "word") == '"a b"'
    call_llrpc(client, bytes([1, 0, 0, 0]))
    assert client.router.handlers.read("w", "switch") == "1" and (tmp_path / "made").read_text() == "ran\nproxied\n"


# -- nothing is forgotten ---------------------------------------------------------------------------------------------

#: What opens files, runs programs, changes privileges, or calls what a text names.
REACHING = {
    "open", "write_bytes", "write_text", "read_bytes", "read_text", "unlink", "mkdir", "rename", "chmod", "Popen", "system", "kill",
    "setuid", "setgid", "seteuid", "setegid", "exec", "eval", "import_module", "Filename", "HandlerCall", "HandlerName",
    "HandlerRef", "Trigger",
}  # fmt: skip


def reaches(function, class_, seen: set[str]) -> set[str]:
    """Names of REACHING that a function uses, itself or by methods of its class and functions of its module."""
    found = set()
    if declared := declared_by(function):
        given = declared.type if function.__name__ == "write" else ""
        found |= set(re.findall(r"\w+", repr(given))) & REACHING | reaches(getattr(declared, function.__name__), class_, seen)
    for name in names(function.__code__) - seen:
        seen.add(name)
        found |= {name} & REACHING
        called = getattr(class_, name, None) or function.__globals__.get(name)
        if hasattr(called, "__code__"):
            found |= reaches(called, class_, seen)
    return found


def declared_by(function) -> value_handlers | None:
    """What the functions of a handler were made of that is declared with functions for reading and writing."""
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    return next((each for each in held if isinstance(each, value_handlers)), None)


def names(code: CodeType) -> set[str]:
    return set(code.co_names).union(*(names(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


def handlers():
    """Every handler of every class: its name, its function, the class and the right that it needs."""
    library = Library.standard()
    for class_ in {library.find(name) for name in library.names()}:
        for handler in class_.handlers().values():
            for way in ("read", "write"):
                if getattr(handler, way):
                    name = f"{class_.class_name()}.{handler.name}, {way}"
                    yield name, getattr(handler, way), class_, getattr(handler, f"{way}_needs")


def test_handlers_that_reach_out_of_the_router_declare_it():
    reaching = {name for name, function, class_, _ in handlers() if reaches(function, class_, set())}
    assert reaching == {name for name, _, _, right in handlers() if right in (Right.FILES, Right.CALLS)}


#: What may be called or set when a handler is read: CONTROL copies the runtime's memory, the others are caches, times, and new handlers.
LOOKING = {"control", "_next", "_trees", "_took", "_links", "_table", "_recent", "pure"}


def changes(function, class_, seen: set[str]) -> set[str]:
    """The attributes that a function sets, and its calls of other handlers, itself or by methods of its class and functions of its
    module."""
    found = changes(getattr(declared, function.__name__), class_, seen) if (declared := declared_by(function)) else set()
    for code in codes(function.__code__):
        for each in dis.get_instructions(code):
            called = each.opname in ("LOAD_ATTR", "LOAD_METHOD") and each.argval in ("write", "_assign", "control")
            if called or each.opname in ("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL"):
                found.add(each.argval)
    for name in names(function.__code__) - seen:
        seen.add(name)
        called = getattr(class_, name, None) or function.__globals__.get(name)
        if hasattr(called, "__code__"):
            found |= changes(called, class_, seen)
    return found


def codes(code: CodeType):
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from codes(inner)


def test_read_handlers_that_change_something_declare_it():
    reads = [(name, function, class_, right) for name, function, class_, right in handlers() if name.endswith(", read")]
    changing = {name for name, function, class_, _ in reads if changes(function, class_, set()) - LOOKING}
    assert changing == {name for name, _, _, right in reads if right is Right.ACT}


def test_the_documentation_lists_them():
    root = Path(__file__).parents[2]
    text = (root / "docs/security.md").read_text()
    scope: dict = {"__file__": str(root / "tools/security.py"), "__name__": "security"}
    exec((root / "tools/security.py").read_text(), scope)
    assert scope["page"](text) == text, "tools/security.py writes it"


def test_who_renounces_has_no_rights_any_more(run, tmp_path):
    """A process of the router's own user has all of them until then."""
    run(f"c :: ControlSocket(UNIX, {tmp_path}/socket); {TEXT}")
    with ControlClient(tmp_path / "socket") as client:
        assert KEY in client.read("rt.table") and KEY in client.read("aes.config") and client.allows("rt.table", False)
        client.call("RENOUNCE")
        refused(client.read, "rt.table")
        refused(client.write, "n.count_call", "1 stop")
        assert KEY not in client.read("aes.config") and KEY not in client.read("flatconfig")
        assert not client.allows("rt.table", False) and not client.allows("n.count_call", True)
        assert client.allows("n.count", False) and client.allows("n.reset", True) and not client.allows("n.nothing", True)


def test_who_renounces_gives_the_service_no_orders(run, tmp_path):
    """Those that a router in the background takes from its owner, such as TAKEOVER."""
    obeyed = []

    @contextmanager
    def flow(argument: str):
        obeyed.append(argument)
        yield lambda: None

    router = run(TEXT)
    serving = Serving(router.handlers, commands={"TAKEOVER": lambda: obeyed.append("TAKEOVER")}, streams={"TRACE": flow})
    with closing(ControlServer.unix(tmp_path / "socket", serving)), ControlClient(tmp_path / "socket") as client:
        client.call("RENOUNCE")
        refused(client.call, "TAKEOVER")
        refused(client.stream, "TRACE", "word")
        assert obeyed == []
        with ControlClient(tmp_path / "socket") as owner:
            owner.call("TAKEOVER")
            assert list(owner.stream("TRACE", "word")) == [] and obeyed == ["TAKEOVER", "word"]
