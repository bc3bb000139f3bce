"""Run a router in the foreground, until it stops by itself or is interrupted."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path

from clickbpf.cli.load import add_devices, request
from clickbpf.cli.options import add_input, add_plan, check_router, no_more_words, plan_options, words
from clickbpf.cli.output import write_text
from clickbpf.compile import Compilation
from clickbpf.errors import ClickError

NAME = "run"
