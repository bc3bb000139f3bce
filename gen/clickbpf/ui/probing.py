"""Questions that processes of their own answer: test instances of routers, which follow a packet (probe.py), and others."""

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from clickbpf.errors import ClickError
from clickbpf.load.files.process import own_environment
from clickbpf.ui.probe import ProbeRequest

#: Seconds for compiling the router and following the packet; the most bytes of a packet and of the answer.
PATIENCE, LONGEST, MOST_ANSWERED = 120.0, 9000, 8 << 20


def hexadecimal(text: str) -> str:
    """A packet's hexadecimal digits, without white space, colons and dashes between them. ClickError if the text isn't a packet."""
    digits = "".join(c for c in text if not c.isspace() and c not in ":-")
    try:
        packet = bytes.fromhex(digits)
    except ValueError:
        raise ClickError("a packet is an even number of hexadecimal digits, from its Ethernet header on") from None
    if not 14 <= len(packet) <= LONGEST:
        raise ClickError(f"a packet has from 14 to {LONGEST} bytes; this one has {len(packet)}")
    return packet.hex()


async def probe(request: ProbeRequest) -> dict[str, Any]:
    """Follow a packet through a test instance. ClickError if that fails."""
    answer = await ask(["clickbpf.ui.probe"], json.dumps(asdict(request)).encode(), PATIENCE, asyncio.subprocess.DEVNULL)
    try:
        return json.loads(answer)
    except ValueError:
        raise ClickError("the test instance has ended without an answer", hint="'clickbpf run' shows its messages") from None


async def ask(words: Sequence[str], request: bytes, patience: float, errors: int) -> bytes:
    """Run a module of this package with these arguments and this input in a process of its own; returns its output. ClickError if it takes
    longer than `patience` seconds."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", *words)
    child = await asyncio.create_subprocess_exec(
        *command, stdin=pipe, stdout=pipe, stderr=errors, cwd="/", env=own_environment(), start_new_session=True
    )
    try:
        return await asyncio.wait_for(_exchange(child, request), patience)
    except (TimeoutError, ConnectionError):
        raise ClickError(f"there is no answer after {patience:g} seconds") from None
    finally:
        with suppress(ProcessLookupError):
            child.kill()
        await child.wait()


async def _exchange(child: asyncio.subprocess.Process, request: bytes) -> bytes:
    child.stdin.write(request)
    await child.stdin.drain()
    child.stdin.close()
    answer = bytearray()
    while part := await child.stdout.read(65536):
        answer += part
        if len(answer) > MOST_ANSWERED:
            raise ClickError("the answer is too long")
    return bytes(answer)
