"""ProgressBar: what it draws, and when. The lines are those of Click 2.1 on a terminal of 80 columns."""

import os
import pty
import subprocess
import sys

import pytest

from clickbpf.vocabulary.library import Library

Moment = sys.modules[Library.standard().find("ProgressBar").__module__].Moment


def drawn(position=None, size=None, seconds=1.0, waited=0.0, done=False, shows_position=True, banner="", width=80) -> str:
    return Moment(position, size, seconds, waited, done, shows_position, banner).line(width)


@pytest.mark.parametrize(
    "moment, line",
    [
        (
            {"position": 1792, "size": 6400, "seconds": 0.25, "shows_position": False, "banner": "hello"},
            "\rhello  28% |**************                                     |    00:00 ETA",
        ),
        (
            {"position": 6790, "size": 6790, "done": True, "seconds": 0.9},
            "\r100% |*************************************************|  6790      00:00    \n",
        ),
        (
            {"position": 4270, "size": 100},
            "\r100% |*************************************************|  4270      --:-- ETA",
        ),
        (
            {"position": 6693},
            "\r|***                                                   |  6693      --:-- ETA",
        ),
        (
            {"position": 6900, "done": True},
            "\r|------------------------------------------------------|  6900      00:01    \n",
        ),
    ],
)
def test_lines(moment, line):
    assert drawn(**moment) == line


def test_positions_are_shortened_by_powers_of_1024():
    shown = {value: drawn(position=value).split("|")[2][:9] for value in (99_999, 100_000, 10**8, 10**11, 10**14, 10**17)}
    assert shown == {
        99_999: " 99999   ",
        100_000: "    97KB ",
        10**8: " 97656KB ",
        10**11: " 95367MB ",
        10**14: " 93132GB ",
        10**17: " 90949TB ",
    }


def test_what_is_left():
    """As long again as it took for this much, by rule of three; hours if there are any."""
    assert drawn(position=25, size=100, seconds=60).endswith("   03:00 ETA")
    assert drawn(position=1, size=100, seconds=100).endswith(" 2:45:00 ETA")
    assert drawn(position=25, size=100, seconds=60, waited=5).endswith(" - stalled -")
    assert drawn(position=0, size=100, seconds=60).endswith("   01:00    ")
    assert drawn(position=101, size=100).endswith("   --:-- ETA")
    assert drawn(size=100).endswith("| -----      --:-- ETA")


def test_asterisks_go_to_and_fro():
    """A bar of 7 has room for 4 steps of three asterisks, each the quarter of 100 times 100000."""
    bars = [drawn(position=quarter * 2_500_000, width=33).split("|")[1] for quarter in range(9)]
    assert bars == ["***    ", " ***   ", "  ***  ", "   *** ", "    ***", "   *** ", "  ***  ", " ***   ", "***    "]


def test_narrow_and_wide_terminals():
    assert drawn(position=1, size=2, width=20).count("|") == 0
    assert len(drawn(position=1, size=2, width=999).split("|")[1]) == 240


TEXT = """
    i :: InfiniteSource(LIMIT 10, ACTIVE false) -> c :: Counter -> Discard;
    p :: ProgressBar(c.count {arguments});
    DriverManager({script}, stop);
"""


def on_terminal(tmp_path, arguments: str, script: str) -> list[str]:
    """What a router draws and prints on a terminal, line by line."""
    file = tmp_path / "bar.click"
    file.write_text(TEXT.format(arguments=arguments, script=script))
    child, terminal = pty.fork()
    if child == 0:
        try:
            os.execv(sys.executable, [sys.executable, "-m", "clickbpf.cli.main", "run", str(file)])
        finally:
            os._exit(127)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # how a terminal ends
            break
        if not part:
            break
        shown += part
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, shown
    return [line for line in shown.decode().replace("\n", "\r").split("\r") if line]


def test_it_draws_until_it_is_done(tmp_path):
    shown = on_terminal(tmp_path, ", i.limit, UPDATE 0.05", "write i.active true, wait 0.5s, write p.mark_done, wait 0.2s, print $(p.pos)")
    *bars, last, position = shown
    assert len(bars) >= 3 and position == "10"
    assert last.startswith("100% |***") and "   00:00    " in last
    assert not any("ETA" not in line for line in bars[:1])


def test_it_stops(tmp_path):
    *_, last, active = on_terminal(tmp_path, ", i.limit", "wait 0.1s, write p.mark_stopped, print $(p.active)")
    assert last.startswith("  0% |   ") and "ETA" not in last
    assert active == "false"


def test_the_end_of_the_run_ends_the_bar(tmp_path):
    *_, last = on_terminal(tmp_path, ", FIXED_SIZE 20, BANNER so", "write i.active true, wait 0.4s")
    assert last.startswith("so  50% |***") and "ETA" not in last


def test_inactive_or_late_bars_draw_nothing(tmp_path):
    assert on_terminal(tmp_path, ', ACTIVE false', 'wait 0.3s, print "x"') == ["x"]
    assert on_terminal(tmp_path, ', DELAY 10, CHECK_STDOUT true', 'wait 0.3s, print "x"') == ["x"]


def test_no_terminal_no_bar(tmp_path):
    file = tmp_path / "bar.click"
    file.write_text(TEXT.format(arguments="", script="wait 0.1s, write p.mark_done"))
    done = subprocess.run([sys.executable, "-m", "clickbpf.cli.main", "run", str(file)], capture_output=True, check=True)
    assert done.stderr == done.stdout == b""


def test_handlers(router):
    r = router("i :: InfiniteSource(LIMIT 3) -> c :: Counter -> Discard; p :: ProgressBar(c.count c.byte_count, i.limit, BANNER b);")
    assert r.read("p.poshandler") == "c.count c.byte_count" and r.read("p.sizehandler") == "i.limit"
    assert (r.read("p.banner"), r.read("p.active"), r.read("p.size")) == ("b", "true", "-1")
    written = {"banner": "x y", "active": "false", "size": "2.5", "poshandler": "i.count", "sizehandler": "c.count i.limit"}
    for name, value in written.items():
        r.write(f"p.{name}", value)
        assert r.read(f"p.{name}") == value
    r.write("p.reset", "")
    assert r.read("p.active") == "true"


def test_mistakes(refused_router, router):
    text = "i :: InfiniteSource -> Discard; ProgressBar({});"
    assert "FIXED_SIZE" in refused_router(text.format("i.count, FIXED_SIZE many"))
    assert "nobody" in refused_router(text.format("nobody.count"))
    with pytest.raises(Exception, match=r"no 'i.nothing' read handler"):
        router(text.format("i.nothing"))
