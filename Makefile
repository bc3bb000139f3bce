# clickbpf: build, try out, test.  `make help` lists the targets.
#
# PYTHON   interpreter that the environment in .venv is made with (3.11 or newer)
# JOBS     processes for the tests
# TESTS    what to test, as pytest wants it: files, folders, file::test

PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
TESTS ?=

VENV := .venv
BIN := $(VENV)/bin
# Made anew when the list of requirements changes.
READY := $(VENV)/.ready

.DEFAULT_GOAL := all
.PHONY: all deps demo test bench lint man dist clean distclean help

# A router without devices or rights: it compiles the runtime's library, which all routers share, and shows that it runs.
all: $(READY)  ## build; .venv/bin/clickbpf runs afterwards
	@$(BIN)/clickbpf run --quit -e 'Idle -> Discard'

$(READY): pyproject.toml tools/venv.sh
	tools/venv.sh $(PYTHON) $(VENV)
	touch $@

deps:  ## install the Debian packages that are missing (as root)
	tools/deps.sh

demo: deps  ## two hosts and a router between them, step by step (as root)
	$(MAKE) --no-print-directory all
	demo/demo.sh

test: deps  ## run the tests (as root: with network namespaces)
	$(MAKE) --no-print-directory all
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile $(TESTS)

bench: deps  ## measure ratios, print a table, write build/bench.json and charts
	$(MAKE) --no-print-directory all
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	$(BIN)/python tests/bench/run.py
	$(BIN)/python -m tests.bench.curves

lint: $(READY)  ## check style
	$(BIN)/python -m pip install --quiet --editable '.[lint]'
	$(BIN)/ruff check gen elements tests tools demo
	bash -n demo/*.sh tools/*.sh .ci/run

man: $(READY)  ## write the manual page: build/clickbpf.1
	@mkdir -p build
	$(BIN)/python tools/man.py >build/clickbpf.1

dist: $(READY)  ## build the wheel and the source archive in dist/
	$(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build

clean:  ## remove what was built
	rm -rf build dist .pytest_cache .ruff_cache .hypothesis
	find gen elements tests -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean  ## and the environment
	rm -rf $(VENV)

help:  ## list the targets
	@sed -nE 's/^([a-z]+):[^#]*## *(.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12
