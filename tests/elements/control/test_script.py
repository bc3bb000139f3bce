"""Script and DriverManager, by the examples and rules of Click's manual."""

import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
from tests.elements.control.scripts import output_of
from tests.elements.running import ran, running, settled

from clickbpf.errors import ClickError
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.runtime.handlers import HandlerError
from clickbpf.vocabulary.library import Library

COUNTER = "i :: InfiniteSource(LIMIT 0) -> c :: Queue -> Discard;"


@pytest.mark.parametrize(
    "script, printed",
    [
        ("set x $(c.length), print $x", "0\n"),
        ('set x "$(c.length)", print "$x"', '"0"\n'),
        ('setq x "$(c.length)", print "$x"', "0\n"),
        ("print c.length", "0\n"),
        ('print "c.length"', "c.length\n"),
        ("print '\"c.length\"'", '"c.length"\n'),
        ("set x c.length, print $($x)", "0\n"),
        ('printn "a", printn "b", print "c"', "abc\n"),
        ("set x 0, label begin_loop, print \"$x\", set x $(s.add $x 1), goto begin_loop $(s.lt $x 5)", "0\n1\n2\n3\n4\n"),
        ("set x 0, label l, set x $(add $x 1), goto l $(lt $x 5), print \"$x\"", "5\n"),
        ("goto end, print \"never\"", ""),
        ("init x 5, set x 6, goto l, label l, print \"$x\"", "6\n"),
        ('set a b, set b 7, print "${a}$($a)x"', "b$(b)x"),
        ("print \"'$x'\"", "'$x'\n"),
        ('print "<$n> <$x>", set n $(add $n 1), print "<$n>"', "<> <$x>\n<1>\n"),
        ("write c.capacity 5, print \"$?\", print c.capacity", "0\n5\n"),
    ],
)  # fmt: skip
def test_texts_and_jumps(script, printed, capsysbinary):
    assert output_of(script, capsysbinary, COUNTER) == printed


@pytest.mark.parametrize(
    "call, result",
    [
        ("add 10 5 2", "17"),
        ("sub 10 5 2", "3"),
        ("mul 3 4", "12"),
        ("div 7 2", "3.5"),
        ("div 6 3", "2"),
        ("idiv 7 2", "3"),
        ("mod 7 3", "1"),
        ("avg 1 2 3", "2"),
        ("avg -1 -2", "-1"),
        ("avg 1 2.5", "1.75"),
        ("count 1 0 3", "3"),
        ("popcount 1 0 3", "2"),
        ("popcount .01 0.32 0", "2"),
        ("gt_vec 0 0.01 0.32 0", "2"),
        ("gt_vec 0.02 0.01 0.32 0", "1"),
        ("ceil 17.35", "18"),
        ("ceil -0.5", "-0"),
        ("floor 17.33", "17"),
        ("floor -17.33", "-18"),
        ("floor 9223372036854775807", "9223372036854775807"),
        ("round 17.33", "17"),
        ("round 17.5", "18"),
        ("round -0.5", "-1"),
        ("round 0.49999999999999994", "0"),
        ("mod -7 3", "-1"),
        ("rem 7.5 2", "1.5"),
        ("neg 3", "-3"),
        ("abs -3.5", "3.5"),
        ("min 5 10 2", "2"),
        ("max 5 10 2", "10"),
        ("add 1 0.5", "1.5"),
        ("add 1.5 010", "11.5"),
        ("add 010 1.5", "9.5"),
        ("add 1.5 0x10", "17.5"),
        ("add nan 1", "nan"),
        ("div 010 4", "2.5"),
        ("rem 010 3.5", "3"),
        ("rem 5 0.0", "-nan"),
        ("eq 010 10.0", "true"),
        ("eq 010 8", "true"),
        ("eq 10 0xA", "true"),
        ("le 9 8", "false"),
        ("gt nan 9", "true"),
        ("div 4 -0.0", "-inf"),
        ("eq 10x 10x", "true"),
        ("lt abc abd", "true"),
        ("not true", "false"),
        ("and true true false", "false"),
        ("and false maybe", "false"),
        ("or false true maybe", "true"),
        ("nand true true", "false"),
        ("nor true maybe", "false"),
        ("nor false false", "true"),
        ("if true a b", "a"),
        ("if false a b", "b"),
        ("in foo bar foo", "true"),
        ("in foo bar", "false"),
        ("first a b c", "a"),
        ('sprintf "%05x" 127', "0007f"),
        ('sprintf "%-5s|%*d%%" ab 4 7', "ab   |   7%"),
        ('sprintf "%#o|%#o|%#08o|%-#6o|%#.4o|%#5.3o" 8 0 8 8 8 8', "010|0|00000010|010   |0010|  010"),
        ('sprintf "%x|%u|%hhx|%lld|%.d|%.s" 0xFFFFFFFFFFFFFFFF 18446744073709551615 65537 -1 0 a', f"{'f' * 16}|{2**64 - 1}|1|-1|0|a"),
        ("length abcdef", "6"),
        ('unquote "a b"', "a b"),
        ("htons 1", "256"),
        ("htons 65537", "256"),
        ("htons 4294967296", "65535"),
        ("htonl 4294967295", "4294967167"),
        ("ntohl -99999999999", "128"),
        ("ntohl 0x01000000", "1"),
        ("readable c.length s.step", "false"),
        ("writable c.capacity s.step", "true"),
    ],
)
def test_functions(call, result):
    with running(f"s :: Script(TYPE PASSIVE); {COUNTER}") as router:
        handler, _, argument = call.partition(" ")
        assert router.handlers.read("s", handler, argument) == result


@pytest.mark.parametrize(
    "call",
    [
        'sprintf "%400000000d" 1',
        'sprintf "%.400000000d" 1',
        'sprintf "%*d" 400000000 1',
        'sprintf "%-400000000s" a',
        f'sprintf "%{"9" * 5000}d" 1',
        'sprintf "' + "%500000d" * 3 + '" 1 1 1',
    ],
)
def test_no_number_makes_a_text_of_its_size(call):
    with running(f"s :: Script(TYPE PASSIVE); {COUNTER}") as router:
        handler, _, argument = call.partition(" ")
        with pytest.raises(HandlerError, match="result too long"):
            router.handlers.read("s", handler, argument)


@pytest.mark.parametrize("call", ['sprintf "5 %"', 'sprintf "%.*d" -1 5', 'sprintf "%u" -1'])
def test_a_format_is_complete(call):
    with running(f"s :: Script(TYPE PASSIVE); {COUNTER}") as router:
        handler, _, argument = call.partition(" ")
        with pytest.raises(HandlerError, match="syntax error"):
            router.handlers.read("s", handler, argument)


#: Characters of a long argument; a function takes a fraction of a second for them if it looks at each a few times.
MANY = 1 << 17


@pytest.mark.parametrize(
    "function, argument",
    [
        ("sprintf", f'"{"%d" * (MANY // 4)}" {"1 " * (MANY // 4)}'),
        ("sprintf", "(" * MANY),
        ("first", '"' * MANY),
        ("in", "\\" * MANY),
        ("eq", "(" * MANY),
        ("unquote", "/**/ " * MANY),
        ("readable", "s.count c.count " * (MANY // 32)),
        ("readable", " ".join(f"p.a{n}" for n in range(MANY // 32))),
    ],
)
def test_no_argument_keeps_a_function_busy(function, argument):
    """What each character may cost doesn't grow with their number."""
    with running(f"s :: Script(TYPE PASSIVE); p :: Script(TYPE PROXY); {COUNTER}") as router:
        begin = time.thread_time()
        with suppress(HandlerError):
            router.handlers.read("s", function, argument)
        assert time.thread_time() - begin < 2


def test_functions_keep_nobody_waiting():
    """They need nothing of the router, so that a client who calls them can't stop packets: they are called without the lock."""
    with running(f"s :: Script(TYPE PASSIVE); {COUNTER}") as router:
        called = threading.Thread(target=router.handlers.read, args=("s", "add", "1 2"))
        with router.handlers.lock:
            called.start()
            called.join(60)
            assert not called.is_alive()


def test_results_have_64_bits_however_many_factors():
    """As in C: what is between the factors doesn't grow either. 3 ** 100000 would have 47,712 digits."""
    power = 3**100000 % 2**64
    with running(f"s :: Script(TYPE PASSIVE); {COUNTER}") as router:
        assert int(router.handlers.read("s", "mul", "3 " * 100000)) % 2**64 == power
        with pytest.raises(HandlerError, match="expected list of numbers"):
            router.handlers.read("s", "add", f"1 {'9' * 5000}")  # too large for an integer, and for a double


def test_waiting_takes_the_routers_time(capsysbinary):
    text = (
        "i :: InfiniteSource(LIMIT 3, ACTIVE false) -> Queue -> ToDevice(a);"
        "s :: Script(print i.count, wait 2s, write i.active true, wait 1s, print i.count, stop);"
    )
    with settled(text, clock=10**9) as router:
        assert capsysbinary.readouterr().out == b"0\n"
        router.advance(1_999_999_999)
        assert router.collect("a") == []
        router.advance(1)
        assert len(router.collect("a")) == 3
        router.advance(999_999_999)
        assert router.runs == 1
        router.advance(1)
        assert capsysbinary.readouterr().out == b"3\n"
        assert router.runs == 0


def test_what_sources_do_at_once_is_done_when_a_script_begins(capsysbinary):
    """Click's driver runs tasks before it looks for timers."""
    ran("i :: InfiniteSource(LIMIT 500) -> Discard; Script(print i.count);", clock=10**9)
    assert capsysbinary.readouterr().out == b"500\n"


def test_pause_and_step(capsysbinary):
    with settled('s :: Script(pause 2, print "two", wait, print "three");') as router:
        router.handlers.write("s", "step", "")
        assert capsysbinary.readouterr().out == b""
        router.handlers.write("s", "step", "")
        assert capsysbinary.readouterr().out == b"two\n"
        router.handlers.write("s", "step")
        assert capsysbinary.readouterr().out == b"three\n"


def test_passive_script_returns_a_value():
    with running("s :: Script(TYPE PASSIVE, return $(add $1 $2 $#));") as router:
        assert router.handlers.read("s", "run", "30 10 x") == "43"


def test_proxy_answers_for_any_handler():
    text = (
        "s :: Script(TYPE PROXY, goto nota $(ne $0 a), returnq \"you called 'a'\", label nota,"
        "goto notb $(ne $0 b), returnq \"you called 'b'\", label notb, error bad handler);"
    )
    with running(text) as router:
        assert router.handlers.read("s", "a") == "you called 'a'"
        assert router.handlers.read("s", "b") == "you called 'b'"
        with pytest.raises(HandlerError, match="bad handler"):
            router.handlers.read("s", "c")


def test_exported_variables_are_handlers():
    with running("s :: Script(export x 5, set x 6);") as router:
        assert router.handlers.read("s", "x") == "5"
        router.settle()
        assert router.handlers.read("s", "x") == "6"


def test_handlers_lists_functions_and_exported_variables():
    """As Click's does: with what they take, and without those that only scripts of this machine may call."""
    text = "s :: Script(TYPE PASSIVE, export total 5, exportq text hi, init own 7); t :: Script(TYPE PASSIVE)"
    with running(text) as router:
        listed = dict(line.split("\t") for line in router.handlers.read("s", "handlers").splitlines())
        assert {name: listed.get(name) for name in ("total", "text", "add", "sprintf", "run", "set")} == {
            "total": "r", "text": "r", "add": "r+", "sprintf": "r+", "run": "rw+", "set": "w",
        }  # fmt: skip
        assert not {"own", "cat", "catq", "kill"} & set(listed)
        assert router.handlers.read("s", "cat", "/dev/null") == "", "though it can be called"
        assert "total" not in router.handlers.read("t", "handlers")


def test_a_loop_without_waiting_is_given_up(capsys):
    ran("s :: Script(label l, goto l);")
    assert "too many jumps" in capsys.readouterr().err


def test_errors_name_the_script_and_the_run_goes_on(capsys):
    ran('s :: Script(write nowhere.reset, print "on");')
    captured = capsys.readouterr()
    assert captured.err == "While executing 's :: Script':\n  config:1:13: no element named 'nowhere'\n"
    assert captured.out == "on\n"


def test_errors_have_the_place_of_the_instruction_and_a_hint(capsys, monkeypatch):
    """Without them under Click's name."""
    script = "TYPE ACTIVE,\n  , // nothing\n  wait 1ms,\n  write c.rest, write c.count_call x,\n  goto end maybe"
    text = f"c :: Counter; Idle -> c -> Discard;\ns :: Script({script})"
    errors = []
    for _ in range(2):
        with running(text, clock=10**9) as router:
            router.advance(10**7)
        errors.append(capsys.readouterr().err.splitlines())
        monkeypatch.setenv("CLICKBPF_MESSAGES", "click")
    ours, clicks = errors
    assert ours[:4] == [
        "While executing 's :: Script':",
        "  config:5:3: no 'c.rest' write handler",
        "  hint: did you mean 'reset'?",
        "  config:5:17: While calling 'c.count_call x':",
    ]
    assert ours[-1] == "  config:6:3: bad condition 'maybe'"
    assert [line for line in clicks if not line.startswith("    ")] == [
        "While executing 's :: Script':",
        "  no 'c.rest' write handler",
        "  While calling 'c.count_call x':",
        "  bad condition 'maybe'",
    ]


def test_elements_are_looked_for_in_the_compound_first(capsysbinary):
    text = (
        "elementclass C { c :: Queue(7) -> Discard; InfiniteSource(LIMIT 0) -> c; Script(print c.capacity) } C;"
        "InfiniteSource(LIMIT 0) -> c :: Queue(8) -> Discard;"
    )
    ran(text)
    assert capsysbinary.readouterr().out == b"7\n"


def test_driver_manager_delays_the_stop(capsysbinary):
    text = (
        "i :: InfiniteSource(LIMIT 5, STOP true) -> Queue -> ToDevice(a);"
        'DriverManager(pause, print "first", write i.reset, wait_stop, print i.count);'
    )
    with settled(text, clock=10**9) as router:
        assert capsysbinary.readouterr().out == b"first\n5\n"
        assert len(router.collect("a")) == 10
        assert router.runs <= 0


def test_without_instructions_a_driver_manager_stops_at_the_first_stop():
    with settled("i :: InfiniteSource(LIMIT 5, STOP true) -> Discard; DriverManager();") as router:
        assert router.runs <= 0
        assert router.handlers.read("i", "count") == "5"


def test_its_thread_does_nothing_else_meanwhile(capsysbinary):
    text = (
        "i :: InfiniteSource -> Discard;"
        "Script(wait 10ms, set a $(i.count), set b $(i.count), print $(eq $a $b), wait 10ms, print $(gt $(i.count) $b), stop);"
    )
    with running(text) as router:
        router.start()
        router.run()
    assert capsysbinary.readouterr().out == b"true\ntrue\n"


def test_simulated_time_does_not_run_ahead_of_scripts(capsysbinary):
    text = "Script(wait 1000s, print now, wait 0.5s, print now, stop); Script(wait 3s, print now);"
    with running(text, clock=10**9) as router:
        router.start()
        router.run()
    assert capsysbinary.readouterr().out == b"4.000000000\n1001.000000000\n1001.500000000\n"


@pytest.mark.parametrize(
    "script, says",
    [
        ("prnt x", "syntax error at 'prnt'"),
        ("goto nowhere", "no such label 'nowhere'"),
        ("set x", "syntax error"),
        ("stop now", "syntax error at 'stop'"),
        ("TYPE SOMETIMES", "bad TYPE"),
    ],
)
def test_mistakes_are_found_before_the_run(script, says):
    with pytest.raises(ClickError, match=says):
        check(read_text(f"s :: Script({script});"), Library.standard())


def frames(router, count: int) -> None:
    for number in range(count):
        router.inject("eth0", bytes([number]) * 60)


@pytest.mark.parametrize(
    "script, outputs",
    [
        ("", [0, 0, 0, 0]),
        ("end", [0, 0, 0, 0]),
        ("exit", [None] * 4),
        ("return 1", [1, 1, 1, 1]),
        ("return 7", [None] * 4),
        ("return x", [None] * 4),
        ("init i 0, set j $i, set i $(mod $(add $i 1) 3), return $j", [0, 1, None, 0]),
        ("return $input", [0, 0, 0, 0]),
        ("write s.set x 1, return $x", [1, 1, 1, 1]),
        ("error no", [None] * 4),
    ],
)
def test_packets_go_where_the_script_says(script, outputs, capsys):
    """As in Click's manual: `end` is output 0, everything else but `return PORT` drops."""
    text = f"FromDevice(eth0) -> s :: Script(TYPE PACKET, {script}) -> Queue -> ToDevice(a); s[1] -> Queue -> ToDevice(b);"
    with running(text) as router:
        frames(router, 4)
        sent = {port: [frame[0] for frame in router.collect(device)] for port, device in enumerate("ab")}
    for number, port in enumerate(outputs):
        assert [p for p in sent if number in sent[p]] == ([] if port is None else [port])


def test_packets_that_are_pulled_and_another_input():
    text = (
        "FromDevice(eth0) -> Queue -> s :: Script(return $(eq $(c.count) 1)) -> ToDevice(a); s[1] -> Queue -> ToDevice(b);"
        "FromDevice(eth1) -> c :: Counter -> t :: Script(return $input) -> Queue -> ToDevice(d); Idle -> [1]t; t[1] -> Discard;"
    )
    with running(text.replace("$(eq $(c.count) 1)", "$(if $(eq $(c.count) 1) 0 1)")) as router:
        frames(router, 1)
        router.inject("eth1", bytes(60))
        frames(router, 2)
        assert (len(router.collect("a")), len(router.collect("b")), len(router.collect("d"))) == (2, 1, 1)


@pytest.mark.parametrize(
    "text, says",
    [
        ("s :: Script(TYPE PACKET);", "PACKET script must have inputs"),
        ("Idle -> s :: Script(TYPE ACTIVE) -> Discard;", "ports allowed only on PACKET scripts"),
        ("s :: Script(TYPE SIGNAL);", "bad signal number"),
        ("s :: Script(TYPE SIGNAL USR1 NOSUCH);", "bad signal number"),
    ],
)
def test_types_that_fit_nothing(text, says):
    with pytest.raises(ClickError, match=says):
        check(read_text(text), Library.standard())


@pytest.mark.parametrize("back", ["loop", "goto"])
def test_a_loop_goes_to_the_beginning_whatever_labels_there_are(back, capfd):
    counting = "init n 0, set n $(add $n 1), print $n, goto out $(ge $n 3)"
    with running(f"s :: Script(TYPE PASSIVE, {counting}, label begin, {back}, label out);") as router:
        router.handlers.write("s", "run")
        assert capfd.readouterr().out == "1\n2\n3\n"
        with pytest.raises(ClickError, match="jump to nonexistent label"):
            router.handlers.write("s", "goto")


class TestSignals:
    """In processes of their own."""

    @staticmethod
    def run(text: str) -> subprocess.CompletedProcess:
        words = [sys.executable, "-m", "clickbpf.cli.main", "run", "-e", text]
        return subprocess.run(words, capture_output=True, text=True, timeout=120)

    def test_signals_that_come_before_the_script_runs_are_one(self):
        done = self.run(
            'Script(print "a", set y $(kill USR1 $$), print "b", set y $(kill USR1 $$), wait 1ms, print "c", stop);'
            'Script(TYPE SIGNAL USR1, print "got", end); Script(TYPE SIGNAL USR1, print "too", end);'
        )
        assert (done.returncode, done.stdout.split()) == (0, ["a", "b", "got", "too", "c"])

    def test_a_script_runs_once_for_a_signal_however_often_it_ran_for_others(self):
        done = self.run(
            'Script(set y $(kill USR1 $$), wait 1ms, set y $(kill USR1 $$), wait 1ms, set y $(kill HUP $$), wait 1ms, print "c", stop);'
            'Script(TYPE SIGNAL USR1 HUP, print "got", end);'
        )
        assert (done.returncode, done.stdout.split()) == (0, ["got"] * 3 + ["c"])

    def test_after_exit_the_signal_has_its_default_effect(self):
        done = self.run(
            'Script(set y $(kill USR1 $$), wait 1ms, print "b", set y $(kill USR1 $$), wait 1s, print "never", stop);'
            'Script(TYPE SIGNAL USR1, print "got", exit);'
        )
        assert (done.returncode, done.stdout.split()) == (-signal.SIGUSR1, ["got", "b"])
