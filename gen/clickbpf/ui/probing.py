"""Test instances of routers: for each packet to follow, a process of its own (probe.py)."""

import asyncio
import json
import sys
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
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "clickbpf.ui.probe")
    child = await asyncio.create_subprocess_exec(
        *command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, cwd="/", env=own_environment(), start_new_session=True
    )
    try:
        answer = await asyncio.wait_for(_exchange(child, json.dumps(asdict(request)).encode()), PATIENCE)
    except (TimeoutError, ConnectionError):
        raise ClickError(f"the test instance has not come to an end in {PATIENCE:g} seconds") from None
    finally:
        with suppress(ProcessLookupError):
            child.kill()
        await child.wait()
    try:
        return json.loads(answer)
    except ValueError:
        raise ClickError("the test instance has ended without an answer", hint="'clickbpf run' shows its messages") from None


async def _exchange(child: asyncio.subprocess.Process, request: bytes) -> bytes:
    child.stdin.write(request)
    await child.stdin.drain()
    child.stdin.close()
    answer = bytearray()
    while part := await child.stdout.read(65536):
        answer += part
        if len(answer) > MOST_ANSWERED:
            raise ClickError("the answer of the test instance is too long")
    return bytes(answer)
