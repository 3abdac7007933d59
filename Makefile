# make run, make test: everything they need is installed into .venv the first time, and again only when it changed.

PYTHON ?= python3
BIN := .venv/bin
# Always this project's environment, whatever the shell has activated or set.
unexport PYTHONPATH PYTHONHOME
KERNEL_SOURCES := CMakeLists.txt $(shell find kernel -name '*.[ch]pp')

.PHONY: run test lint format stubs bench clean

run: .venv/installed
	@$(BIN)/flipdrop play othello

test: .venv/installed build/sanitized/passed
	FLIPDROP_KERNEL=baseline $(BIN)/pytest -q -n auto tests
	$(BIN)/pytest -q -n auto

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

# The build's own requirements are installed beside everything else, so that a rebuild compiles only what changed.
.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "flipdrop needs Python 3.11 or newer, not " + sys.version)'
	$(PYTHON) -m venv .venv || { rm -rf .venv; \
	  $(PYTHON) -m pip install --quiet --target build/virtualenv virtualenv && \
	  PYTHONPATH=build/virtualenv $(PYTHON) -m virtualenv --quiet .venv; }

.venv/tools: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > .venv/build-requirements
	$(BIN)/python -m pip install --quiet -r .venv/build-requirements cmake ninja
	@touch $@

.venv/installed: .venv/tools $(KERNEL_SOURCES)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation \
	  --config-settings=cmake.define.FLIPDROP_WERROR=ON --editable '.[dev]'
	@touch $@

.venv/installed-bench: .venv/installed
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[bench]'
	@touch $@

build/sanitized/passed: .venv/installed tests/kernel/kernel_tests.cpp
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/sanitized -G Ninja -DFLIPDROP_KERNEL_TESTS=ON -DFLIPDROP_WERROR=ON > build/sanitized.log || { cat build/sanitized.log; false; }
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/sanitized
	PATH="$(CURDIR)/$(BIN):$$PATH" ctest --test-dir build/sanitized --output-on-failure
	@touch $@
