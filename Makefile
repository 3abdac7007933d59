# make run, make test: everything they need is installed into .venv the first time, and again only when it changed.

PYTHON ?= python3
BIN := .venv/bin
# Always this project's environment, whatever the shell has activated or set.
unexport PYTHONPATH PYTHONHOME
KERNEL_SOURCES := CMakeLists.txt $(shell find kernel -name '*.[ch]pp')

.PHONY: run test lint format stubs bench clean

run: .venv/installed
	@$(BIN)/flipdrop serve

# Of the kernel for any CPU, what is closest to it is tested; everything above is the same Python.
test: .venv/installed .venv/browser build/sanitized/passed
	FLIPDROP_KERNEL=baseline $(BIN)/pytest -q -n auto tests/kernel tests/games tests/evaluation tests/search
	FLIPDROP_KERNEL= $(BIN)/pytest -q -n auto
	$(BIN)/flipdrop experiment all --quick --no-store --pages build/experiments > build/experiments.log || { cat build/experiments.log; false; }

lint: .venv/installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(shell find kernel tests -name '*.[ch]pp')

format: .venv/installed
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(shell find kernel tests -name '*.[ch]pp')

stubs: .venv/installed
	$(BIN)/python tests/kernel/stub.py --write

bench: .venv/installed-bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv build

# The build's own requirements live in the same environment, so that a rebuild compiles only what changed. Where Python
# came without its venv module's parts, virtualenv does the same.
.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "flipdrop needs Python 3.11 or newer, not " + sys.version)'
	$(PYTHON) -m venv .venv || { rm -rf .venv; \
	  $(PYTHON) -m pip install --quiet --target build/virtualenv virtualenv && \
	  PYTHONPATH=build/virtualenv $(PYTHON) -m virtualenv --quiet .venv; }

# $(call listed,KEYS) prints a list of requirements in pyproject.toml, so that they are written down once.
listed = $(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))$(1), sep="\n")'

.venv/tools: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(call listed,["build-system"]["requires"]) > .venv/requirements
	$(BIN)/python -m pip install --quiet -r .venv/requirements cmake ninja
	@touch $@

.venv/installed: .venv/tools $(KERNEL_SOURCES)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation \
	  --config-settings=cmake.define.FLIPDROP_WERROR=ON --editable '.[dev]'
	@touch $@

.venv/installed-bench: .venv/installed
	$(call listed,["project"]["optional-dependencies"]["bench"]) > .venv/requirements
	$(BIN)/python -m pip install --quiet -r .venv/requirements
	@touch $@

# The tests of the web page need a browser of the system: Debian's is installed where that can be done without asking.
.venv/browser: | .venv/bin/python
	@for name in chromium chromium-browser google-chrome-stable google-chrome; do command -v $$name && exit; done > /dev/null; \
	test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get update --quiet > .venv/browser.log 2>&1 && \
	apt-get install --quiet --yes --no-install-recommends chromium >> .venv/browser.log 2>&1 || { \
	echo "the tests of the web page need Chromium or Chrome; on Debian: sudo apt-get install chromium" >&2; exit 1; }
	@touch $@

build/sanitized/passed: .venv/installed $(wildcard tests/kernel/*.cpp tests/kernel/*.hpp)
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/sanitized -G Ninja -DFLIPDROP_KERNEL_TESTS=ON -DFLIPDROP_WERROR=ON > build/sanitized.log || { cat build/sanitized.log; false; }
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/sanitized
	PATH="$(CURDIR)/$(BIN):$$PATH" ctest --test-dir build/sanitized --parallel 2 --output-on-failure
	@touch $@
