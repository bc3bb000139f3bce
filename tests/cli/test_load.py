"""`load` and what goes with it, as a user meets it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.axes import few
from tests.load.flooding import lost_while
from tests.waiting import eventually

from clickbpf.load.access.listing import describe
from clickbpf.load.devices.links import attached_tc
from clickbpf.load.files import places
from clickbpf.load.files.log import lines
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.kernel import bpffs
from clickbpf.load.process import service
from clickbpf.runtime.client import ControlClient
from clickbpf.testing.traffic import RawPort, ping

from .conftest import OWN, command, environment, execute, kill

pytestmark = pytest.mark.needs("root", "ip", "clang-19", "bpftool")


def forwards(net, **options):
    return ping(net.namespaces[1], "10.0.0.2", 2, **options) == 2


@pytest.fixture
def loaded(router, cable):
    done = execute(router, "load", str(cable))
    assert done.status == 0, done.err
    return OWN


def count(router):
    return int(execute(router, "read", "-r", OWN, "c.count").out)


def runs(pid):
    """Whether the process is there, and not as a zombie that its parent has not collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def runtime(name):
    return service.alive(RunFolder.of(name))


def test_survives_its_caller_and_forwards(net, router, loaded):
    assert forwards(net)
    assert os.getsid(runtime(loaded)) != os.getsid(0)
    listed = {r["name"]: r for r in json.loads(execute(router, "list", "--json").out)}
    assert listed[loaded]["runtime"] == runtime(loaded)
    assert listed[loaded]["devices"] == {"eth0": "eth0", "eth1": "eth1"}
    assert loaded in execute(router, "list").out


def test_handler_control_socket_and_bpftool_agree(net, router, loaded):
    assert forwards(net)
    state = Pins.of(loaded).state("c", "counters")

    def dumped() -> int:
        rows = json.loads(subprocess.run(["bpftool", "-j", "map", "dump", "pinned", str(state)], capture_output=True, check=True).stdout)
        (array,) = rows[0]["formatted"]["value"][".data.counters"]
        return sum(slot["e_c_counters"]["count"] for slot in array["counters"])

    # Between two looks a host may ask again for the other's Ethernet address.
    assert eventually(lambda: dumped() == count(router) == dumped() >= 3), "an ARP request, two echo requests"


def wait(happened):
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.1)


def state():
    return describe(OWN).state


def test_a_router_that_stops(net, router, tmp_path):
    """Packets for it are counted drops; its handlers answer; it can be started again, or replaced."""
    file = tmp_path / f"{OWN}.click"
    file.write_text("f :: FromDevice(eth0) -> c :: Counter(COUNT_CALL 3 stop) -> Discard; Idle -> ToDevice(eth1);")
    assert execute(router, "load", "--no-kernel", str(file)).status == 0
    assert state() == "running"
    sender = RawPort(net.namespaces[1], "eth0")
    wait(lambda: sender.send(bytes(60)) or state() == "stopped")

    def lost():
        """Of the element that a packet was handed over to, or that reads the device."""
        with ControlClient(RunFolder.of(OWN).control) as client:
            reasons = "".join(client.read(f"{name}.drop_reasons") for name in "fc")
        return sum(map(int, re.findall(r"(\d+)\tNO_RUNTIME", reasons)))

    before = lost()
    for _ in range(100):
        sender.send(bytes(60))
    wait(lambda: lost() >= before + 100)
    stopped = runtime(OWN)
    assert execute(router, "load", "--runtime-only", OWN).status == 0
    assert (state(), runtime(OWN) != stopped) == ("running", True)
    with ControlClient(RunFolder.of(OWN).control) as client:
        client.write("stop", "")
    wait(lambda: state() == "stopped")
    file.write_text(file.read_text().replace("3 stop", "1000000 stop"))
    assert execute(router, "load", "--replace", "--no-kernel", str(file)).status == 0
    wait(lambda: state() == "running")

    def logged():
        """The log is written by another process, a little later."""
        words = [line.split()[1] for line in lines(RunFolder.of(OWN).log)]
        return [word for word in words if word in ("running", "stopped")]

    wait(lambda: logged() == ["running", "stopped", "running", "stopped", "running"])


def test_kernel_goes_on_without_the_runtime(net, router, loaded):
    kill(runtime(loaded))
    before = count(router)
    assert forwards(net)
    assert count(router) >= before + 2
    assert "degraded" in execute(router, "list").out
    wait(lambda: "the runtime died: Killed (signal 9)" in execute(router, "log", OWN).out)
    assert execute(router, "write", "-r", OWN, "c.reset").status == 0
    assert count(router) < before + 2


def test_runtime_starts_again_with_the_state(net, router, loaded):
    assert forwards(net)
    kill(runtime(loaded))
    before = count(router)
    done = execute(None, "load", "--runtime-only", OWN)
    assert done.status == 0, done.err
    assert count(router) >= before > 0
    assert execute(None, "load", "--runtime-only", OWN).status == 1


def test_resuming_a_router_that_runs_changes_nothing(router, cable, loaded):
    """For scripts, which needn't know whether it runs. One whose runtime has died gets another, but not in a dry run."""
    resume = ("load", "--resume", str(cable))
    before = runtime(loaded)
    done = execute(router, *resume)
    assert (done.status, done.err, runtime(loaded)) == (0, f"{OWN} runs already\n", before)
    kill(before)
    done = execute(router, *resume, "--dry-run")
    assert (done.status, done.out) == (0, f"the runtime of {OWN} would be restarted\n")
    assert "degraded" in execute(router, "list").out
    assert execute(router, *resume).status == 0
    assert "running" in execute(router, "list").out
    assert execute(router, *resume, "--replace").err.endswith(f"{OWN} loaded\n")


@pytest.mark.whole
def test_threads_stay_on_their_cpu(router, cable):
    """After a kill and `--resume`, too; `--replace` chooses anew."""
    usable = os.sched_getaffinity(0)
    done = execute(router, "load", str(cable), "--affinity=1023")
    assert (done.status, done.err.splitlines()[0]) == (1, "error: threads can't run on CPU 1023")
    assert execute(router, "load", f"-a{max(usable)}", str(cable)).status == 0
    assert cpus_of_thread(runtime(OWN)) == {max(usable)}
    kill(runtime(OWN))
    assert execute(router, "load", "--resume", str(cable)).status == 0
    assert cpus_of_thread(runtime(OWN)) == {max(usable)}
    assert execute(router, "load", "--replace", str(cable)).status == 0
    assert eventually(lambda: cpus_of_thread(runtime(OWN)) == usable)


def cpus_of_thread(process: int) -> set[int]:
    """The CPUs on which a runtime's first thread may run; none while there are two."""
    found = [int(task.name) for task in Path(f"/proc/{process}/task").iterdir() if (task / "comm").read_text() == "clickbpf/0\n"]
    return os.sched_getaffinity(found[0]) if len(found) == 1 else set()


def delete_and_create(net, router):
    router.ip("link", "delete", "eth0")
    net.veth(router, "eth0", net.namespaces[1], "eth0")
    net.namespaces[1].address("eth0", "10.0.0.1/24")


def move_away_and_back(net, router):
    """Its index, its program and its qdiscs stay, but no map has it any more, and its sockets are useless."""
    elsewhere = net.namespace("elsewhere")
    router.ip("link", "set", "eth0", "netns", elsewhere.name)
    elsewhere.ip("link", "set", "eth0", "netns", router.name)
    router.ip("link", "set", "eth0", "up")


XDP, TC = ("--user", "c"), ("--user", "c", "--hook", "tc")
CAME_BACK = [
    *((leaves, XDP, ended) for ended in (False, True) for leaves in (move_away_and_back, delete_and_create)),
    *((leaves, TC, False) for leaves in (delete_and_create, move_away_and_back)),
]


@pytest.mark.parametrize("leaves, options, ended", few(CAME_BACK, 2, rows=True))
def test_resuming_attaches_to_a_device_that_came_back(net, router, cable, leaves, options, ended):
    assert execute(router, "load", *options, str(cable)).status == 0
    resume = ("load", "--resume", *options, str(cable))
    if ended:
        kill(runtime(OWN))
    leaves(net, router)
    if not ended:
        assert execute(router, *resume, "--dry-run").out == f"{OWN} would be attached to eth0 again\n"
        assert "eth0 (gone), eth1" in execute(router, "list").out
        assert not forwards(net, wait=0.3) or options == TC  # the other way leads past the runtime
    done = execute(router, *resume)
    assert (done.status, done.err.splitlines()[-1]) == (0, f"{OWN} is attached to eth0 again")
    assert eventually(lambda: forwards(net)), "Linux takes up to a second to believe that a cable is there again"
    assert execute(router, *resume).err == f"{OWN} runs already\n"
    said = "eth0 was gone and is there again, without the router: 'clickbpf load --resume' with its arguments attaches it"
    assert ended or eventually(lambda: said in execute(router, "log", OWN).out)


def test_a_classifier_that_somebody_removed_is_attached_again(router):
    """By the next router, as after a device's stay in another namespace, where its qdiscs are deleted."""
    load = ("load", "-n", OWN, "--mode", "generic", "--user", "c", "-e", "FromDevice(eth0) -> c :: Counter -> ToHost(eth0)")
    assert execute(router, *load).status == 0
    attached = router.call(attached_tc, router.ifindex("eth0"), "egress")
    router.run("tc", "qdisc", "delete", "dev", "eth0", "clsact")
    assert execute(router, *load, "--replace").status == 0
    assert router.call(attached_tc, router.ifindex("eth0"), "egress") == attached > 0
    assert execute(router, "unload", OWN).status == 0
    assert "clsact" not in router.run("tc", "qdisc", "show", "dev", "eth0").stdout


def test_resuming_without_devices_that_are_gone(net, router, cable, loaded):
    """One after the other; the last goes with the namespace, in which only the router's process is left."""
    resume = ("load", "--resume", str(cable))
    router.ip("link", "delete", "eth0")
    assert execute(router, *resume).err == f"{OWN} runs without eth0: there is no such device\n"
    assert execute(router, *resume, "--dry-run").out == f"{OWN} runs without eth0: there is no such device\n"
    said = f"hint: it is gone since the router {OWN} was loaded; eth0=DEVICE maps another one to it\n"
    assert execute(router, "load", "--replace", str(cable)).err == f"error: there is no network device eth0\n{said}"
    net.namespaces[2].ip("link", "delete", "eth0")
    assert execute(None, *resume).err == f"{OWN} runs without eth0, eth1: there is no such device\n"


def test_a_device_with_another_name(net, router, cable, loaded):
    """The router goes on; for others the device has to have the name that it was loaded with."""
    router.ip("link", "set", "eth0", "down")
    router.ip("link", "set", "eth0", "name", "lan0")
    router.ip("link", "set", "lan0", "up")
    assert eventually(lambda: forwards(net))
    said = f"hint: the router {OWN} has it, whose name is lan0 now: 'ip link set lan0 name eth0'\n"
    assert execute(router, "load", "--replace", str(cable)).err == f"error: there is no network device eth0\n{said}"
    kill(runtime(loaded))
    assert execute(router, "load", "--resume", str(cable)).err.endswith(said)


def test_replace_keeps_forwarding(net, router, loaded, cable):
    cable.write_text(cable.read_text().replace("c :: Counter", "c :: Counter -> Null"))
    old = runtime(loaded)

    def replace() -> None:
        done = execute(router, "load", "--replace", str(cable))
        assert done.status == 0, done.err

    assert lost_while(replace, net.namespaces[1], "10.0.0.2", 30_000) == 0
    assert runtime(loaded) == old, "the process changes to the new router"
    assert "Null" in execute(router, "read", "-r", OWN, "flatconfig").out


@pytest.mark.whole
def test_replace_after_a_look_at_what_differs(router, loaded, cable):
    """A running router is compared with its tables and settings as they are; it isn't replaced unless somebody agrees."""
    cable.write_text(cable.read_text().replace("c :: Counter", "s :: Switch(0); s[1] -> Discard; s"))
    assert execute(router, "load", "--replace", str(cable)).status == 0
    assert execute(router, "diff", OWN, str(cable)).status == 0
    assert execute(router, "write", "-r", OWN, "s.switch", "1").status == 0
    before, done = runtime(OWN), execute(router, "load", "--replace", "--diff", str(cable))
    assert (done.status, runtime(OWN)) == (1, before), done.err
    assert "packets that were dropped:" in done.out and f"{OWN} was not replaced" in done.err
    assert execute(router, "load", "--diff", str(cable)).status == 1
    # Who agrees has looked at one router, and replaces no other one.
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with router.popen(*command("load", "--replace", "--diff", str(cable)), env=environment(), **pipes) as child:
        assert any("[y/N]" in line for line in child.stdout)
        assert execute(router, "load", "--replace", str(cable)).status == 0
        said, _ = child.communicate("y\n")
    assert child.returncode == 1 and "another router has replaced" in said


def test_router_without_elements(router, tmp_path):
    library = tmp_path / "library.click"
    library.write_text("elementclass Nothing { -> }")
    assert execute(router, "load", "-n", OWN, str(library)).status == 0
    assert execute(router, "read", "-r", OWN, "list").out.splitlines()[-1] == "0"
    assert execute(router, "unload", OWN).status == 0


def test_addresses_of_other_devices(net, router, tmp_path):
    """`outside:ip` is the address of the device that stands for outside, for the kernel path and the runtime."""
    router.address("eth0", "10.0.0.7/24")
    config = tmp_path / f"{OWN}.click"
    config.write_text("FromDevice(outside) -> ARPResponder(outside:ip outside:eth) -> Queue -> ToDevice(outside);")
    done = execute(router, "load", str(config), "outside=eth0")
    assert done.status == 0, done.err
    net.namespaces[1].run("ping", "-c1", "-W1", "10.0.0.7", check=False)
    assert router.mac("eth0") in net.namespaces[1].ip("neighbour", "show", "10.0.0.7")


def test_runtime_that_fails_tells_it_to_the_caller(router, cable):
    """With the place in the configuration, though the runtime reads another text of it."""
    cable.write_text(cable.read_text() + "d :: FromDump(/nonexistent/dump) -> Discard;")
    done = execute(router, "load", str(cable))
    assert done.status == 1
    assert f"\n{cable}:3:1: error: 'd': /nonexistent/dump: No such file" in f"\n{done.err}"
    assert OWN not in places.loaded()
    assert "prog/xdp" not in router.ip("-d", "link")


@pytest.mark.parametrize("number", few([signal.SIGINT, signal.SIGTERM, signal.SIGHUP], 2))
def test_a_load_that_has_begun_is_undone(router, cable, number):
    """Also where its terminal is closed, as that of a user who is logged in over one of the devices."""
    child = router.popen(*command("load", str(cable)), env=environment(), stderr=subprocess.PIPE)
    while child.poll() is None and not RunFolder.of(OWN).exists():
        time.sleep(0.002)
    child.send_signal(number)
    _, said = child.communicate(timeout=60)
    if OWN in places.loaded():  # it came too late, perhaps when Python had dropped its handlers
        assert child.returncode in (0, -number)
        assert execute(router, "unload", OWN).status == 0
    else:
        assert child.returncode in (128 + number, -number), said
    assert OWN not in places.loaded()
    assert "prog/xdp" not in router.ip("-d", "link")


def test_interrupted_unload_goes_on(router, loaded):
    """However often."""
    child = router.popen(*command("unload", loaded), env=environment(), stderr=subprocess.PIPE)
    while child.poll() is None:
        if loaded not in places.loaded() or not Pins.of(loaded).exists():
            child.send_signal(signal.SIGTERM)
        time.sleep(0.002)
    assert loaded not in places.loaded()
    assert "prog/xdp" not in router.ip("-d", "link")


def test_in_a_namespace_that_hides_sys(net, router, cable):
    """`ip netns exec` as users do it: pins must outlive the command's own mounts."""
    bpffs.root()
    done = subprocess.run(
        ["ip", "netns", "exec", router.name, *command("load", str(cable))], env=environment(), capture_output=True, text=True
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert forwards(net)
    assert Pins.of(OWN).exists()
    assert execute(None, "unload", OWN).status == 0
    assert "prog/xdp" not in router.ip("-d", "link")


@pytest.mark.whole
def test_under_the_names_of_clicks_tools(net, router, cable, tmp_path):
    """click-install puts a router in the place of the one before it, by standard input as by a file; a broken one changes nothing."""
    for name in ("click-install", "click-uninstall"):
        (tmp_path / name).symlink_to(Path(sys.executable).with_name("clickbpf"))

    def tool(name, *words, **options):
        line = router.command(str(tmp_path / name), *words, "--name", OWN)
        return subprocess.run(line, capture_output=True, text=True, env=environment(), timeout=180, **options)

    assert tool("click-install", str(cable)).returncode == 0
    assert forwards(net)
    assert tool("click-install", "-h", input=cable.read_text()).returncode == 0
    assert forwards(net)
    broken = tool("click-install", "-u", input="FromDevice(eth0) -> Nosuch")
    assert broken.returncode == 1 and "'Nosuch'" in broken.stderr
    assert forwards(net)
    assert tool("click-install", "-u", "-n", "5", str(cable)).returncode == 0
    assert forwards(net)
    assert tool("click-uninstall").returncode == 0
    assert OWN not in places.loaded()
    assert tool("click-uninstall").returncode == 1
