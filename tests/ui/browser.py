"""A headless Chromium, by the DevTools protocol: enough to look at a page and to use it as people do."""

from __future__ import annotations

import asyncio
import atexit
import base64
import json
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import aiohttp
from tests.waiting import eventually

#: Seconds for an answer.
PATIENCE = 60.0
ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
    "--disable-extensions", "--hide-scrollbars", "--remote-debugging-port=0", "about:blank",
)  # fmt: skip


@cache
def _chromium() -> int:
    """The port of the browser that all pages of this process are in. Its profile is gone with it."""
    profile = tempfile.TemporaryDirectory(prefix="clickbpf-chromium-", ignore_cleanup_errors=True)
    line = ["chromium", *ARGUMENTS, f"--user-data-dir={profile.name}"]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for undo in (profile.cleanup, process.wait, process.kill):  # the last first
        atexit.register(undo)
    file = Path(profile.name, "DevToolsActivePort")
    found = eventually(lambda: file.exists() and re.fullmatch(r"(\d+)\n\S+", file.read_text()))
    return int(found[1])


class Browser:
    """A page."""

    def __init__(self, width: int = 1440, height: int = 900, dark: bool = False):
        self._loop = asyncio.new_event_loop()
        self._number, self.said = 0, []
        try:
            self._call(self._connect(f"http://127.0.0.1:{_chromium()}/json"))
            for domain in ("Page", "Runtime", "Log", "Performance"):
                self.ask(f"{domain}.enable")
            self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
            self.ask("Emulation.setEmulatedMedia", features=[scheme])
        except BaseException:
            self.close()
            raise

    async def _connect(self, pages: str) -> None:
        self._session = aiohttp.ClientSession()
        async with self._session.put(f"{pages}/new?about:blank") as found:
            page = await found.json()
        self._closing = f"{pages}/close/{page['id']}"
        self._socket = await self._session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=1 << 28)

    def close(self) -> None:
        if hasattr(self, "_session"):
            self._call(self._leave())
        self._loop.close()

    async def _leave(self) -> None:
        if hasattr(self, "_closing"):
            await (await self._session.get(self._closing)).read()
        await self._session.close()

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    # -- the protocol -------------------------------------------------------------------------------------------------

    def ask(self, method: str, **parameters: Any) -> dict:
        """A command's result. What the page says of itself meanwhile is kept in `said`."""
        return self._call(self._ask(method, parameters))

    async def _ask(self, method: str, parameters: dict) -> dict:
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": parameters})
        while True:
            message = json.loads((await self._socket.receive(PATIENCE)).data)
            if message.get("id") == self._number:
                assert "error" not in message, message["error"]
                return message["result"]
            self.said.append(message)

    def _call(self, work):
        return self._loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    # -- using a page -------------------------------------------------------------------------------------------------

    def open(self, address: str) -> None:
        self.ask("Page.navigate", url=address)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        done = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def wait(self, script: str, patience: float = PATIENCE) -> Any:
        """What an expression is when it is true."""
        found = eventually(lambda: self.run(script), patience)
        assert found, f"{script} is {found}; the page said {self.complaints()}"
        return found

    def click(self, selector: str) -> None:
        """On what a selector finds, once it is there. By the mouse it might have moved meanwhile: pages that live do that."""
        found = f"document.querySelector({json.dumps(selector)})"
        self.wait(f"(e => {{ if (!e) return false; e.focus(); e.click(); return true; }})({found})")

    def type(self, text: str) -> None:
        """Into what has the focus."""
        self.ask("Input.insertText", text=text)

    def press(self, key: str, code: int = 0) -> None:
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **({"text": "\r"} if key == "Enter" else {}))

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def complaints(self) -> list[str]:
        """Errors of scripts, and what the page's policy has refused."""
        self.run("1")
        thrown = [m["params"]["exceptionDetails"] for m in self.said if m.get("method") == "Runtime.exceptionThrown"]
        entries = (m["params"]["entry"] for m in self.said if m.get("method") == "Log.entryAdded")
        logged = [each["text"] for each in entries if each["level"] == "error" and each["source"] != "network"]
        return [*(str(each.get("exception", each).get("description", each)) for each in thrown), *logged]
