"""A compiled router loaded into this process: its code, the memory of its state, its devices and its time.

The C core runs it (userspace/runtime.h). runtime/host.py adds elements' Python sides, handlers and the end of the run.
"""

import ctypes
import errno
import math
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Self

from clickbpf.args.error import ArgError
from clickbpf.compile import Compilation, NativeRouter
from clickbpf.errors import ClickError
from clickbpf.objects.made import INLET
from clickbpf.objects.manifest import QUEUES_PER_DEVICE
from clickbpf.runtime.library import SIDES, WIRE, AnnotationRange, RouterObject, SendingCounts, SendingFiles, load_library
from clickbpf.runtime.memory import DROPS, MemoryEntry, Views, drop_counts, plain_view, state_views
from clickbpf.runtime.reconfigure import SIMULATION
from clickbpf.runtime.tracing import Row, Trace
from clickbpf.vocabulary.drops import REASONS
from clickbpf.vocabulary.state import View, address

#: The value of `pace` if time jumps to the next timer.
NOWAIT = "nowait"
_LARGEST = 1 << 17
_NO_TIMER = (1 << 64) - 1
_REASONS = tuple(REASONS)
#: Hints about missing resources. ENOBUFS comes from the limit on locked memory, which applies to AF_XDP's frames.
_HINTS = {
    errno.EMFILE: "raise the limit: ulimit -n 1024",
    errno.ENOBUFS: "raise the limit on locked memory: ulimit -l unlimited, or give the process CAP_IPC_LOCK",
}


class Core:
    """One loaded router. If a kernel path shares its state, `slots` is the number of CPUs and threads, `first_slot` the slot of the
    runtime's first thread, and `memories` and `drops` are the loader's views of the maps.

    `looks` is the ring buffer of copies for elements that look at packets: its descriptor and size. With `clock`, in nanoseconds, time is
    simulated from the beginning. `sanitize` is the value of the compiler's -fsanitize. `replaces` is the router that this one will replace.
    `soon`: begin with the object that compiles fast (NativeRouter.first).
    """

    def __init__(
        self,
        made: Compilation,
        *,
        memories: Views = MappingProxyType({}),
        drops: View | None = None,
        handed: memoryview | None = None,
        looks: tuple[int, int] | None = None,
        slots: int | None = None,
        first_slot: int = 0,
        threads: int = 1,
        sanitize: str | None = None,
        clock: int | None = None,
        replaces: Self | None = None,
        soon: bool = False,
    ):
        #: The compiled router whose code runs.
        self.native = made.native(threads, sanitize)
        self.devices = made.devices
        self.slots, self.threads, self._first_slot = slots or first_slot + threads, threads, first_slot
        configured = made.checked.instances
        self._names = tuple(configured)
        self._numbers = {name: number for number, name in enumerate(self._names)}
        self._devices = {name: number for number, name in enumerate(self.devices)}
        #: Devices that can have sockets, and their numbers.
        self._served = {**self._devices, INLET: len(self._devices)}
        #: Descriptors of each device's AF_XDP sockets, in the order of the queues.
        self.sockets: dict[str, list[int]] = {}
        #: Devices whose packets begin with their IP header.
        self.l3_devices: set[str] = set()
        #: The router that this one will replace (runtime/swap.py).
        self.replaces = replaces
        self.views = state_views(configured, memories, self.slots)
        self.drop_counts = drops or plain_view(DROPS, max(1, len(self._numbers)) * self.slots)
        #: The runtime's C library.
        self.library = load_library(self.native.library)
        #: Whether the running code isn't optimised (NativeRouter.quick).
        self.is_quick = soon and self.native.quick is not None
        #: The first object, which has the variables; the object whose code runs; and those in between, whose code a thread may still
        #: be executing.
        self._object = self.running = RouterObject(self.native.first if soon else self.native.path)
        self._past: list[RouterObject] = []
        #: The CPU of the first thread, if each is pinned to one, the others to those after it.
        self.affinity = replaces.affinity if replaces is not None else None
        table = self._table(self.native.code.states)
        self._runtime = self.library.runtime_create(self._object.code, table, address(self.drop_counts), self.slots, first_slot, threads)
        if not self._runtime:
            self._object.close()
            raise ClickError("cannot create the runtime: out of memory or file descriptors")
        self._set_handovers(made.hash, made.annotations)
        self._connect(handed, looks)
        self._pace = "1"
        if replaces is not None:
            self.library.runtime_take_clock(self._runtime, replaces._runtime)
            self._pace = replaces.pace
        if clock is not None:
            self.set_clock(clock)

    def _connect(self, handed: memoryview | None, looks: tuple[int, int] | None) -> None:
        """Give the runtime the kernel path's accounting of handovers, and its copies for elements that look at packets."""
        self._handed = handed  # C keeps its address
        if handed is not None:
            self.library.runtime_set_handed(self._runtime, ctypes.addressof(ctypes.c_char.from_buffer(handed)), QUEUES_PER_DEVICE)
        if looks is not None:
            self._check(self.library.runtime_add_looks(self._runtime, *looks), "reading what elements look at")

    def _set_handovers(self, hash: int, annotations: Sequence[tuple[int, int]]) -> None:
        """Have the runtime only accept handovers with this hash (32 bits) and these annotations."""
        ranges = (AnnotationRange * len(annotations))(*annotations)
        self._check(self.library.runtime_set_handovers(self._runtime, hash, ranges, len(ranges)), "expecting handovers")

    def _table(self, states: Sequence[tuple[str, str]]) -> ctypes.Array:
        """A table of the states' memory, for C."""
        table = (MemoryEntry * (len(states) + 1))()
        for entry, (element, state) in zip(table, states):
            view = self.views[element][state]
            entry.address, entry.entries, entry.stride = address(view), len(view), view._stride
        return table

    def unload(self) -> None:
        """Unload the router, whose threads have ended. Views of state stay readable."""
        self.library.runtime_destroy(self._runtime)
        self._runtime = None
        for loaded in (self._object, self.running, *self._past):
            loaded.close()

    def complaint(self) -> str:
        """The last error that an element's C file reported."""
        return self.library.runtime_complaint(self._runtime).decode("utf-8", "replace")

    def seed(self, seed: int) -> None:
        """Seed random_u32(), so that its numbers can be repeated."""
        self.library.runtime_seed(self._runtime, seed)

    @property
    def packets(self) -> int:
        """The number of packets in the router: being processed, in queues, or sent to memory and not yet collected."""
        return self.library.runtime_packets(self._runtime)

    def _check(self, error: int, action: str) -> None:
        if error < 0:
            cause = OSError(-error, os.strerror(-error))
            raise ClickError(f"{action}: {cause.strerror}", hint=_HINTS.get(-error)) from cause

    # -- its run ------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the threads, each on its CPU if they have any (affinity). A CPU that is gone is done without."""
        self._check(self.library.runtime_start(self._runtime), "starting the runtime's threads")
        if self.affinity is not None:
            self.library.runtime_pin(self._runtime, self.affinity)

    def pin(self, cpu: int) -> None:
        """Pin each running thread to a CPU of its own, beginning with this one, to which the calling thread is pinned as well."""
        check_cpu(cpu)
        self._check(self.library.runtime_pin(self._runtime, cpu), f"pinning a thread to CPU {cpu}")
        os.sched_setaffinity(0, {cpu})
        self.affinity = cpu

    def stop(self) -> None:
        """End the threads; state and handlers stay."""
        self.library.runtime_stop(self._runtime)

    def add_runs(self, runs: int) -> None:
        """Change Click's run count: the threads run while it is positive, and an element that asks for the end decrements it."""
        self.library.runtime_add_runs(self._runtime, runs)

    @property
    def runs(self) -> int:
        return self.library.runtime_runs(self._runtime)

    # -- counts of drops, and looks -----------------------------------------------------------------------------------

    def drops(self, element: str) -> dict[str, int]:
        """The numbers of packets that an element dropped, by reason; reasons that didn't occur are missing."""
        self._account()
        return drop_counts(self.drop_counts, self._numbers[element], self.slots)

    def has_dropped(self) -> bool:
        """Whether any element dropped a packet."""
        self._account()
        return bool(self.drop_counts.content().strip(b"\0"))

    def _account(self) -> None:
        if self._runtime is not None:
            self.library.runtime_account(self._runtime)

    def add_drops(self, before: Mapping[str, Mapping[str, int]]) -> None:
        """Add the drop counts of the previous router's elements, given in its order. If an element no longer exists, its counts go to the
        nearest existing element before it: packets that waited as ENDED, others as FORMER. The router must be locked, since the counts are
        added to those of the first thread."""
        heir = next((name for name in (*before, *self._names) if name in self._numbers), None)
        for name, dropped in before.items() if heir else ():
            gone = name not in self._numbers
            heir = heir if gone else name
            counts = self.drop_counts[self._numbers[heir] * self.slots + self._first_slot].reason
            for reason, count in dropped.items():
                counts[_REASONS.index("FORMER" if gone and reason != "ENDED" else reason)] += count

    def refuse_waiting(self) -> None:
        """Drop and count the packets in the devices' sockets, to which the kernel path no longer sends."""
        self.library.runtime_refuse(self._runtime)

    def unstick(self) -> int:
        """Called now and then: have the kernel path hand over again by sockets that it takes for full although they are empty, because
        packets were lost on the way. Returns the number of such sockets."""
        return self.library.runtime_unstick(self._runtime)

    def look(self) -> None:
        """Have elements that only look at packets process all copies that the kernel path has made."""
        self.library.runtime_look(self._runtime)

    # -- time ---------------------------------------------------------------------------------------------------------

    def wall_clock(self) -> int:
        """Nanoseconds since 1970, with which packets are timestamped; simulated time begins there."""
        return self.library.runtime_wall_clock(self._runtime)

    @property
    def clock(self) -> int:
        """Nanoseconds on the runtime's clock, the machine's (CLOCK_MONOTONIC) or a simulated one."""
        return self.library.runtime_clock(self._runtime)

    def set_clock(self, nanoseconds: int) -> None:
        """Simulate time from now on, beginning with this value."""
        self._pace = SIMULATION
        self.library.runtime_set_clock(self._runtime, nanoseconds)

    @property
    def pace(self) -> str:
        """The pace of time: SIMULATION, NOWAIT, or a factor of the machine's time."""
        return self._pace

    def warp(self, pace: str) -> None:
        """Set the pace of time to NOWAIT or a factor. ArgError for other texts."""
        speed = 1.0 if pace == NOWAIT else _factor(pace)
        self._pace = pace if pace == NOWAIT else f"{speed:.12g}"
        self.library.runtime_warp(self._runtime, speed, pace == NOWAIT)

    @property
    def next_timer(self) -> int | None:
        """The time of the next timer, by the runtime's clock; None if there is none."""
        timer = self.library.runtime_next_timer(self._runtime)
        return None if timer == _NO_TIMER else timer

    # -- hot swap -----------------------------------------------------------------------------------------

    def adopt_devices(self, old: Self, devices: Mapping[str, str]) -> None:
        """Take over the sockets of another router, after that has processed the packets in them; both must be locked.

        `devices` maps names in this configuration to names in the other's.
        """
        self.library.runtime_drain(old._runtime)
        self.library.runtime_adopt_sending(self._runtime, old._runtime)
        for device, before in devices.items():
            error = self.library.runtime_adopt_device(self._runtime, self._served[device], old._runtime, old._served[before])
            self._check(error, f"taking over {device}")
            self.sockets[device] = old.sockets.pop(before, [])

    def adopt_packets(self, old: Self, packets: int) -> None:
        """Record that this router's elements now hold packets of another router's elements."""
        self.library.runtime_adopt_packets(self._runtime, old._runtime, packets)

    def exchange(self, native: NativeRouter, other: RouterObject) -> bool:
        """Run the code of another object from now on, with the same variables: the same code, better optimised, or code for other
        arguments. The router must be locked. unload() closes the object. False if that isn't possible now, since packets are traced."""
        while self._past and self.library.runtime_is_still(self._runtime):
            self._past.pop().close()
        error = self.library.runtime_exchange(self._runtime, other.code, self._table(native.code.states))
        if error == -errno.EBUSY:
            return False
        self._check(error, "changing to other code")
        if self.running is not self._object:
            self._past.append(self.running)
        self.running, self.native = other, native
        return True

    def change_handovers(self, hash: int, annotations: Sequence[tuple[int, int]]) -> None:
        """Process all handovers of the kernel path, and from now on accept those of another one. The router must be locked."""
        self.library.runtime_drain(self._runtime)
        self._set_handovers(hash, annotations)

    def begin_trace(
        self, link: Sequence[Row], raw: Sequence[Row] | None, number: int, most: int, ring: tuple[int, int] | None = None
    ) -> Trace:
        """Trace packets from now on, as class Trace describes. The router must be locked."""
        return Trace(self.library, self._runtime, link, raw, number, most, ring)

    def begin_count(self, counts: memoryview, outputs: int) -> Callable[[], None]:
        """Count packets at all outputs from now on, by slot and output, in memory that the caller keeps; the result ends that. The router
        must be locked for both."""
        where = ctypes.addressof(ctypes.c_char.from_buffer(counts))
        self._check(self.library.runtime_count(self._runtime, where, outputs), "counting packets")
        return lambda: self.library.runtime_count(self._runtime, None, 0)

    # -- devices ------------------------------------------------------------------------------------------------------

    def add_memory_devices(self) -> None:
        """Have all devices keep the packets sent to them, for collect()."""
        for number in self._devices.values():
            for side in SIDES.values():
                self._check(self.library.runtime_add_memory(self._runtime, number, side), "adding a device")

    def add_xsk(self, device: str, interface: str, queue: int, thread: int, in_parts: bool = False) -> int:
        """Have a thread serve a device, or the INLET, through an AF_XDP socket on one receive queue of `interface` in this thread's network
        namespace. With `in_parts` it also receives packets longer than a page, which not every kernel supports (features.takes_parts).

        Returns the socket's descriptor, for the kernel path's XSKMAP; the runtime owns it.
        """
        fd = self.library.runtime_add_xsk(self._runtime, self._served[device], interface.encode(), queue, thread, in_parts)
        self._check(fd, f"opening an AF_XDP socket on queue {queue} of {interface}")
        self.sockets.setdefault(device, []).append(fd)
        return fd

    @property
    def has_sending(self) -> bool:
        """Whether there is a program that sends in batches (set_sending)."""
        return self.library.runtime_has_sending(self._runtime)

    def set_sending(self, files: Sequence[int]) -> None:
        """Prepare for devices that send in batches, by a ring, with the descriptors of enum sending_file, which the caller keeps."""
        self._check(self.library.runtime_set_sending(self._runtime, SendingFiles(*files)), "preparing to send in batches")

    def end_sending(self) -> None:
        """End sending in batches, which no device does any more."""
        self.library.runtime_end_sending(self._runtime)

    def set_ring(self, device: str, ifindex: int) -> None:
        """Have a device with sockets send by the ring, to its ifindex in this thread's network namespace; 0: by its sockets only."""
        error = self.library.runtime_set_ring(self._runtime, self._devices[device], ifindex)
        self._check(error, f"changing how {device} sends")

    def has_ring(self, device: str) -> bool:
        """Whether a device sends by the ring."""
        return self.library.runtime_has_ring(self._runtime, self._devices[device])

    def sending_counts(self) -> dict[str, int]:
        """The numbers of packets from devices that send by the ring: those that left as `frames`, those that left by `sockets`,
        because a device had a pause or packets waited there, and the number of `pauses`, each after a device had refused frames."""
        counts = SendingCounts()
        self.library.runtime_sending_counts(self._runtime, ctypes.byref(counts))
        return {name: getattr(counts, name) for name, _ in counts._fields_}

    def add_host(self, device: str, side: str, ifindex: int, mark: int) -> None:
        """Open a packet socket on an interface, for ToHost (side HOST) or ToHostSniffers (SNIFFERS), or for a device that can't have AF_XDP
        sockets (WIRE); its packets have this mark."""
        error = self.library.runtime_add_host(self._runtime, self._devices[device], SIDES[side], ifindex, mark)
        self._check(error, f"opening a packet socket for {device}")

    def set_address(self, device: str, ether: bytes) -> None:
        """Set a device's Ethernet address, 6 bytes; packets to others get the type OTHERHOST."""
        self.library.runtime_set_address(self._runtime, self._devices[device], (ctypes.c_uint8 * 6)(*ether))

    def set_l3(self, device: str) -> None:
        """Mark a device as L3: its packets begin with their IP header. Called before it gets sockets."""
        self.library.runtime_set_l3(self._runtime, self._devices[device])
        self.l3_devices.add(device)

    @property
    def uncollected(self) -> int:
        """The number of frames sent to memory devices that collect() hasn't returned yet."""
        return self.library.runtime_uncollected(self._runtime)

    def collect(self, device: str, side: str = WIRE) -> list[bytes]:
        """The frames sent to a memory device since the last call, in order: by the wire, or to Linux (HOST, SNIFFERS)."""
        packets, frame = [], self._frame
        number = self._devices[device]
        while (length := self.library.runtime_collect(self._runtime, number, SIDES[side], frame, _LARGEST)) >= 0:
            packets.append(ctypes.string_at(frame, length))
        return packets

    @cached_property
    def _frame(self) -> ctypes.Array:
        """The buffer for packets that are collected."""
        return ctypes.create_string_buffer(_LARGEST)


def check_cpu(cpu: int) -> None:
    """ClickError if this process can't have threads on the CPU."""
    usable = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {cpu})
    except OSError:
        raise ClickError(f"threads can't run on CPU {cpu}", hint=f"they can on {', '.join(map(str, sorted(usable)))}") from None
    os.sched_setaffinity(0, usable)


def _factor(text: str) -> float:
    """The factor by which time runs faster. ArgError with Click's message."""
    try:
        factor = float(text)
    except ValueError:
        raise ArgError("expected double", f"or {NOWAIT}") from None
    if not 0 < factor < math.inf:
        raise ArgError("timefactor must be > 0")
    return factor
