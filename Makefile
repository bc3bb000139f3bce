# clickbpf: build, try out, test, install.  `make help` lists the targets.
#
# PYTHON   interpreter that the environment in .venv is made with (3.11 or newer)
# JOBS     processes for the tests: two for each CPU, since many tests wait for something most of their time
# TESTS    what to test, as pytest wants it: files, folders, file::test; all tests there, those marked "whole" too
# RERUNS   how often a test that fails is run again; what it said each time is printed
# MINUTES  how long `make fuzz` goes on
# MUTANTS  words of the mutants' names or files, for `make mutants`
# SUITES   what `make bench` measures, by the names that tests/bench/run.py --help lists; all by default
# PREFIX   where `make install` installs; DESTDIR is put before it

PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) * 2)))
TESTS ?=
MINUTES ?= 60
MUTANTS ?=
SUITES ?=
PREFIX ?= /usr/local
DESTDIR ?=

VENV := .venv
BIN := $(VENV)/bin
# Made anew when the list of requirements changes.
READY := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest -n $(JOBS) $(if $(RERUNS),--reruns $(RERUNS) --rerun-show-tracebacks -r aR)
# What a bare machine may lack: libraries, commands, databases of names.
BARE_TESTS := tests/args tests/build tests/elements/trace/test_dumps.py tests/elements/ipsec/test_esp.py tests/elements/sockets \
	tests/elements/devices/test_kernelfilter.py tests/load/life/test_loader.py tests/testing/test_router.py \
	tests/runtime/test_memory.py::test_the_sanitizer_sees_the_end_of_a_packet

.DEFAULT_GOAL := all
.PHONY: all built deps deps-test deps-whole deps-bench demo picture test test-all test-rest check mutants fuzz emulated bare bench routed swaps lint docs man install uninstall deb dist clean distclean help

all:  ## build; .venv/bin/clickbpf runs afterwards
	@tools/deps.sh check
	@$(MAKE) --no-print-directory built
	@printf '%s\n' '' 'clickbpf is built.  For example:' '' \
		'    $(BIN)/clickbpf plan configs/iprouter.click     what of a router runs where, and why' \
		'    $(BIN)/clickbpf --help                          all commands' '' \
		'    sudo make demo                                  a router between two hosts, in the kernel' \
		'    sudo make install                               clickbpf on PATH, in $(PREFIX)'

# A router without devices or rights: it compiles the runtime's library, which all routers share, and shows that it runs.
built: $(READY)
	@echo 'Compiling the runtime, unless it is in the cache ...'
	@$(BIN)/clickbpf run --quit -e 'Idle -> Discard'

$(READY): pyproject.toml tools/venv.sh
	@echo 'Making a Python environment in $(VENV), with what clickbpf needs from the package index ...'
	@tools/venv.sh $(PYTHON) $(VENV)
	@touch $@

deps:  ## install the Debian packages that are missing (as root)
	tools/deps.sh

deps-test:
	tools/deps.sh test

deps-whole:
	tools/deps.sh whole

deps-bench:
	tools/deps.sh bench

demo: deps  ## two hosts and a router between them, step by step (as root)
	@$(MAKE) --no-print-directory built
	demo/demo.sh

# What the tests alone need is installed while the runtime is compiled.
test: deps  ## run the tests, but for the long matrices (as root: with network namespaces)
	@$(MAKE) --no-print-directory --jobs=2 deps-test built
	$(PYTEST) --dist worksteal $(or $(TESTS),-m 'not whole')

test-all: deps-whole  ## run all tests (as root)
	@$(MAKE) --no-print-directory built
	$(PYTEST) --dist worksteal

test-rest: deps-whole  ## run the tests that `make test` leaves out (as root)
	@$(MAKE) --no-print-directory built
	$(PYTEST) --dist worksteal -m whole || [ $$? -eq 5 ]  # no such test

# The stages that are functions from one value to the next: nothing is compiled, loaded or run.
check: $(READY)  ## the tests of reading, checking and transforming configurations, in a minute (no root needed)
	$(PYTEST) --dist worksteal tests/args tests/classify tests/graph tests/lang tests/passes tests/plan \
		--ignore tests/plan/test_large.py --ignore tests/passes/test_optimised.py

mutants: deps-test  ## change the sources in one place after another, and see whether the tests notice (as root; half an hour)
	@$(MAKE) --no-print-directory built
	$(BIN)/python -m tests.mutants.run $(MUTANTS)

fuzz: deps-test  ## feed bad packets, configurations, files and commands to all that reads them, for MINUTES; build/fuzz has what ended badly
	@$(MAKE) --no-print-directory built
	@mkdir -p build/fuzz
	cd build/fuzz && PYTHONPATH='$(CURDIR)' '$(CURDIR)/$(BIN)/python' -m tests.fuzz.run $(MINUTES)

emulated: deps-test  ## all kernel paths, and routers at work, on Debian's kernel in software, which is fetched (as root; a quarter of an hour)
	@$(MAKE) --no-print-directory built
	CLICKBPF_EMULATED=1 $(BIN)/pytest -q tests/emulated

bare:  ## demo and some tests on a bare Debian 12, made for it (as root)
	tools/bare.sh sh -ec 'make demo; tools/packages.sh /usr/bin/python3; make test JOBS=$(JOBS) TESTS="$(BARE_TESTS)"'

bench: deps-bench  ## measure ratios, print a table, write build/bench.json and charts
	@$(MAKE) --no-print-directory built
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	CLICKBPF_CFLAGS=-O2 $(BIN)/python tests/bench/run.py $(addprefix --only ,$(SUITES))
	CLICKBPF_CFLAGS=-O2 $(BIN)/python -m tests.bench.curves

swaps: deps  ## thousands of hot swaps under traffic, a flood, and random events, in three quarters of an hour: what is lost, what is held (as root)
	@$(MAKE) --no-print-directory built
	$(BIN)/python tests/bench/swaps.py --broken 100
	$(BIN)/python tests/bench/swaps.py --loads
	$(BIN)/python tests/bench/flood.py
	$(BIN)/python tests/bench/storm.py 10

routed: deps-whole  ## what accelerated Linux routers lose when the network changes, beside Linux, and a million routes, in ten minutes (as root)
	@$(MAKE) --no-print-directory built
	$(BIN)/python -m tests.bench.routed

lint: $(READY)  ## check style
	$(BIN)/python -m pip install --quiet --editable '.[lint]'
	$(BIN)/ruff check gen elements tests tools demo
	bash -n demo/*.sh tools/*.sh .ci/run

picture: $(READY)  ## draw configs/iprouter.click for the README: docs/iprouter.svg (needs graphviz)
	$(BIN)/clickbpf pretty --svg configs/iprouter.click -o docs/iprouter.svg

docs:  ## build the manual, a site that needs no network: build/docs/index.html (as root if graphviz is missing)
	tools/deps.sh docs
	@$(MAKE) --no-print-directory $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	$(BIN)/python -m tools.manual build/manual
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo 'The manual is build/docs/index.html.'

man: $(READY)  ## write the manual page: build/clickbpf.1
	@mkdir -p build
	$(BIN)/python tools/man.py >build/clickbpf.1

install: $(READY)  ## install in PREFIX, /usr/local by default; DESTDIR goes before it
	tools/install.sh install '$(PYTHON)' '$(PREFIX)' '$(DESTDIR)'

uninstall:  ## remove what `make install` has installed
	tools/install.sh uninstall '$(PREFIX)' '$(DESTDIR)'

deb: $(READY)  ## build a Debian package in dist/
	tools/deb.sh '$(PYTHON)'

dist: $(READY)  ## build the wheel and the source archive in dist/
	$(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build

clean:  ## remove what was built
	rm -rf build dist .pytest_cache .ruff_cache .hypothesis
	find gen elements tests -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean  ## and the environment
	rm -rf $(VENV)

help:  ## list the targets
	@sed -nE 's/^([a-z-]+):[^#]*## *(.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12
