"""The paths of packets through a running router, as in `clickbpf trace`, for one browser."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from typing import Any

from clickbpf.errors import ClickError
from clickbpf.load.change.tracing import TraceRequest
from clickbpf.observe.traced.tracing import traced
from clickbpf.ui.paths import plain_path

#: The most packets of a trace, and the most paths that wait for a browser.
MOST, WAITING = 1000, 64


async def paths(name: str, filter_: str, count: int) -> AsyncGenerator[dict[str, Any], None]:
    """Yield each path as soon as it is known, None now and then, and an error at the end. Closing the generator ends the trace."""
    loop, over = asyncio.get_running_loop(), threading.Event()
    queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(WAITING)

    def put(value: dict[str, Any] | None) -> None:
        """Pass a value on from the tracing thread, which waits for a slow browser."""
        sending = asyncio.run_coroutine_threadsafe(queue.put(value), loop)
        while not over.is_set():
            try:
                return sending.result(0.2)
            except TimeoutError:
                continue
        sending.cancel()

    def trace() -> None:
        try:
            with traced(name, TraceRequest(filter_, count)) as found:
                put({"begun": True})
                for path in found.paths(count):
                    if over.is_set():
                        return
                    put({"path": plain_path(path)} if path else {})
            put({"end": True})
        except ClickError as error:
            put({"error": error.diagnostics[0].message})
        except OSError as error:
            put({"error": str(error)})
        finally:
            put(None)

    thread = threading.Thread(target=trace, daemon=True)
    thread.start()
    try:
        while (value := await queue.get()) is not None:
            yield value
    finally:
        over.set()
        await asyncio.to_thread(thread.join)
