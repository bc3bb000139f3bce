"""installed.py CLICKBPF ROUTER: use the parts of an installed clickbpf that need more than its core: the page, the editors' server,
mounted handlers of the loaded ROUTER, which has a Counter `c`, and a new project with its tests and a shell beside its router.

Needs Python's own library only. Ends with the first failure; what it has started ends with it.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

SECONDS = 60


def main(clickbpf: str, router: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        answers_a_browser(clickbpf)
        answers_an_editor(clickbpf)
        mounts_handlers(clickbpf, router, Path(folder, "handlers"))
        tests_a_project(clickbpf, folder)
    print(f"{clickbpf}: ui, lsp, mount, new, test and try work as installed")


def answers_a_browser(clickbpf: str) -> None:
    with subprocess.Popen([clickbpf, "ui"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as page:
        try:
            address = re.search(r"http://\S+", page.stdout.readline())
            assert address, "clickbpf ui prints no address"
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with browser.open(address[0], timeout=SECONDS) as answer:
                assert answer.status == 200 and b"<html" in answer.read().lower(), "clickbpf ui answers without a page"
        finally:
            page.terminate()


def answers_an_editor(clickbpf: str) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
    text = json.dumps(asked)
    with subprocess.Popen([clickbpf, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        try:
            server.stdin.write(f"Content-Length: {len(text)}\r\n\r\n{text}".encode())
            server.stdin.flush()
            assert server.stdout.readline().startswith(b"Content-Length:"), "clickbpf lsp gives no answer"
        finally:
            server.kill()


def mounts_handlers(clickbpf: str, router: str, folder: Path) -> None:
    folder.mkdir()
    with subprocess.Popen([clickbpf, "mount", "-r", router, str(folder)]) as mount:
        try:
            count, until = folder / "c" / "count", time.monotonic() + SECONDS
            while not count.exists():
                assert mount.poll() is None and time.monotonic() < until, "clickbpf mount shows no handlers"
                time.sleep(0.1)
            assert int(count.read_text()) > 0, "a mounted handler has no value"
        finally:
            mount.terminate()


def tests_a_project(clickbpf: str, folder: str) -> None:
    given = f"CLICKBPF={clickbpf}"
    for words in ([clickbpf, "new", "border"], ["make", "-C", "border", "test", given]):
        subprocess.run(words, cwd=folder, check=True, timeout=10 * SECONDS)
    subprocess.run([clickbpf, "try", "border/router.click", "--", "true"], cwd=folder, check=True, timeout=10 * SECONDS)


if __name__ == "__main__":
    main(*sys.argv[1:])
