"""The site of the manual: built without a warning, and searched in a browser without a network, from its files."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools.manual.__main__ import main

ROOT = Path(__file__).parents[2]
BROWSER = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000", "--host-resolver-rules=MAP * ~NOTFOUND")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    main(folder / "manual")
    (folder / "mkdocs.yml").write_text(f"INHERIT: {ROOT / 'mkdocs.yml'}\ndocs_dir: manual\nsite_dir: site\n")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", folder / "mkdocs.yml"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # of what mkdocs will become
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "site"


@pytest.mark.whole
@pytest.mark.needs("dot")
def test_no_page_loads_anything_from_elsewhere(site):
    loaded = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//[^>]*>""")
    pages = list(site.rglob("*.html"))
    assert len(pages) > 300
    assert {found for page in pages for found in loaded.findall(page.read_text())} == set()


@pytest.mark.whole
@pytest.mark.needs("dot", "chromium")
def test_search_works_without_a_server(site, tmp_path):
    where = f"{(site / 'index.html').as_uri()}?q=IPRewriter"
    done = subprocess.run(
        ["chromium", *BROWSER, f"--user-data-dir={tmp_path}", "--dump-dom", where], capture_output=True, text=True, timeout=300
    )
    found = re.findall(r'<a href="([^"]*)" class="md-search-result__link"', done.stdout)
    assert any(f"{site.as_uri()}/elements/IPRewriter.html" in link for link in found), found or done.stderr
