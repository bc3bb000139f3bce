"""An editor's side of the Language Server Protocol: enough to ask a server what an editor asks."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clickbpf.waiting import readable

#: Seconds for an answer: the first one waits until all classes are imported.
PATIENCE = 120.0


class Editor:
    """A server in a process of its own, initialised; positions count UTF-16 units, as most editors' do."""

    def __init__(self, folder: Path):
        self.folder, self.versions, self.number = folder, {}, 0
        self.process = subprocess.Popen(
            [sys.executable, "-m", "clickbpf.cli.main", "lsp", "--stdio"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
        )  # fmt: skip
        self.read, self.notified = b"", []
        self.able = self.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities={})["capabilities"]
        self.tell("initialized")

    def close(self) -> int:
        """The server's exit status, after the protocol's own goodbye."""
        self.ask("shutdown")
        self.tell("exit")
        return self.process.wait(PATIENCE)

    # -- messages -------------------------------------------------------------------------------------------------------

    def tell(self, method: str, **parameters: Any) -> None:
        self._send({"method": method, "params": parameters})

    def ask(self, method: str, **parameters: Any) -> Any:
        self.number += 1
        self._send({"id": self.number, "method": method, **({"params": parameters} if parameters else {})})
        answer = self._until(lambda message: message.get("id") == self.number and "method" not in message)
        assert "error" not in answer, answer
        return answer["result"]

    def _send(self, message: dict) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))

    def _until(self, wanted: Callable[[dict], bool]) -> dict:
        while not wanted(message := self._receive()):
            self.notified.append(message)
        return message

    def _receive(self) -> dict:
        head = self._take(lambda: self.read.find(b"\r\n\r\n") + 4)
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        return json.loads(self._take(lambda: length if len(self.read) >= length else 3))

    def _take(self, enough: Callable[[], int]) -> bytes:
        """Bytes from the server, once there are as many as `enough` says: 3 or less for not yet."""
        while (count := enough()) <= 3:
            assert readable([self.process.stdout.fileno()], PATIENCE), "the server says nothing"
            part = self.process.stdout.read(65536)
            assert part, "the server has ended"
            self.read += part
        taken, self.read = self.read[:count], self.read[count:]
        return taken

    # -- texts ----------------------------------------------------------------------------------------------------------

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> list[dict]:
        """What is wrong with a text that is opened."""
        self.versions[name] = 1
        self.tell("textDocument/didOpen", textDocument={"uri": self.uri(name), "languageId": "click", "version": 1, "text": text})
        return self.diagnostics(name)

    def type(self, name: str, *changes: dict) -> None:
        self.versions[name] += 1
        document = {"uri": self.uri(name), "version": self.versions[name]}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def diagnostics(self, name: str) -> list[dict]:
        """Those of the text's newest version."""
        wanted = {"uri": self.uri(name), "version": self.versions[name]}

        def about(message: dict) -> bool:
            parameters = message.get("params", {})
            return message.get("method") == "textDocument/publishDiagnostics" and wanted.items() <= parameters.items()

        return self._until(about)["params"]["diagnostics"]

    def at(self, method: str, name: str, line: int, character: int, **more: Any) -> Any:
        """Ask about a position."""
        position = {"line": line, "character": character}
        return self.ask(f"textDocument/{method}", textDocument={"uri": self.uri(name)}, position=position, **more)
