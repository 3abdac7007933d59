# make run     the page: installs what it needs and compiles the kernel for this CPU, the first time and after changes
# make check   lint, types and the fast tests, for every change (under 90 s on a built tree)
# make wheel   a wheel and a source distribution in build/wheels, installed into an empty environment and tried out
# make docs    the site in build/site, without warnings and without a network
# make notebooks   runs the notebooks of the docs and writes their outputs
# make test    everything: installs the development tools, tests both builds of the kernel, sanitizers, browser, cluster
# make fuzz    an hour of coverage-guided fuzzing of all readers; failures are in build/fuzz/failures
# make soak    half an hour of games, matches, a learner, restarts and kills of a server

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Always this project's environment, whatever the shell has activated or set.
unexport PYTHONPATH PYTHONHOME
export PATH := $(CURDIR)/$(BIN):$(PATH)
KERNEL_SOURCES := CMakeLists.txt $(shell find kernel -name '*.[ch]pp')
CPP_FILES = $(shell find kernel tests -name '*.[ch]pp' -not -path '*/third_party/*')

.PHONY: run check test fuzz soak wheel docs notebooks lint format stubs bench clean

# Two at a time: the packages are installed while the kernel is compiled.
run: .venv/tools
	@$(MAKE) --no-print-directory --jobs 2 .venv/packages .venv/running
	@$(BIN)/flipdrop serve

check: lint
	FLIPDROP_KERNEL= $(BIN)/pytest -q -n auto -m "not slow and not browser and not timing and not cluster"

# Of the kernel for any CPU, what is closest to it is tested; everything above is the same Python. A test that fails runs
# once more, since threads, processes and browsers depend on the scheduler: the summary lists such tests as RERUN.
test: .venv/installed .venv/browser build/sanitized/passed
	FLIPDROP_KERNEL=baseline $(BIN)/pytest -q -n auto --reruns 1 -raR tests/kernel tests/games tests/evaluation tests/search
	FLIPDROP_KERNEL= $(BIN)/pytest -q -n auto --reruns 1 -raR
	$(BIN)/flipdrop experiment all --quick --no-store --pages build/experiments > build/experiments.log || { cat build/experiments.log; false; }

fuzz: .venv/installed
	$(BIN)/python -m tests.fuzz --seconds 3600

soak: .venv/installed
	$(BIN)/python -m tests.soak --minutes 30

# The wheel has both kernels. It is built where `make test` compiles, with the same options, so nothing is compiled twice.
# auditwheel names the oldest system that it runs on, and fails if it needs libraries that such a system may lack.
wheel: .venv/installed
	rm -rf build/wheels build/wheel-environment
	$(PIP) wheel --quiet --no-deps --no-build-isolation --config-settings=cmake.define.FLIPDROP_KERNELS=all \
	  --config-settings=cmake.define.FLIPDROP_WERROR=ON --wheel-dir build/wheels/raw .
	$(BIN)/python -m auditwheel repair --wheel-dir build/wheels build/wheels/raw/*.whl > build/wheels/auditwheel.log 2>&1 || { cat build/wheels/auditwheel.log; false; }
	$(BIN)/python -c 'from scikit_build_core.build import build_sdist; build_sdist("build/wheels")' > build/wheels/sdist.log
	$(BIN)/python -m venv --without-pip build/wheel-environment
	$(PIP) --python build/wheel-environment/bin/python install --quiet --no-compile build/wheels/*.whl
	build/wheel-environment/bin/python tests/smoke/installed.py build/wheels/*.tar.gz
	@ls build/wheels

docs: .venv/installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict --site-dir build/site

notebooks: .venv/installed
	$(BIN)/python -m tests.notebooks

lint: .venv/installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)

format: .venv/installed
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CPP_FILES)

stubs: .venv/installed
	$(BIN)/python tests/kernel/stub.py --write

bench: .venv/installed-bench build/pgx/installed
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv build

# Where Python came without the parts of its venv module, virtualenv does the same.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "flipdrop needs Python 3.11 or newer, not " + sys.version)'
	@echo "making .venv ..."
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	  $(PYTHON) -m pip install --quiet --target build/virtualenv virtualenv && \
	  PYTHONPATH=build/virtualenv $(PYTHON) -m virtualenv --quiet .venv; }

# $(call listed,KEYS) prints a list of requirements in pyproject.toml, so that they are written down once.
listed = $(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))$(1), sep="\n")'

# The build's own requirements live in the same environment, so that a rebuild compiles only what changed. CMake and
# Ninja of the system serve where they are new enough.
.venv/tools: pyproject.toml | .venv/bin/python
	@$(call listed,["build-system"]["requires"]) > .venv/requirements
	@cmake --version 2> /dev/null | grep -qE ' (3\.(1[89]|[2-9][0-9])|[4-9]|[1-9][0-9])' || echo cmake >> .venv/requirements
	@command -v ninja > /dev/null || echo ninja >> .venv/requirements
	@$(PIP) install --quiet -r .venv/requirements
	@touch $@

# What the package imports. Python compiles the modules that it uses at their first import: compiling all of them here
# takes longer, and 70 MB.
.venv/packages: pyproject.toml | .venv/tools
	@$(call listed,["project"]["dependencies"]) > .venv/dependencies
	@echo "installing packages ..."
	@$(PIP) install --quiet --no-compile -r .venv/dependencies
	@touch $@

# $(call install,WHAT,KERNELS,OPTIONS) installs the package in place; its progress is that of the compiler.
define install
@mkdir -p build
@bash -o pipefail -c '$(PIP) install --verbose --no-build-isolation --config-settings=build.verbose=true \
  --config-settings=cmake.define.FLIPDROP_KERNELS=$(2) $(3) --editable "$(1)" 2>&1 | tee build/install.log | \
  sed -unE "s/^ *(\[[0-9]+\/[0-9]+\]).* -c .*(kernel\/[a-z0-9_\/]+\.cpp|unity_[a-z]+).*/\1 \2/p; s/^ *Collecting ([A-Za-z0-9_.-]+).*/installing \1/p"' || \
  { tail -40 build/install.log; echo "the whole log: build/install.log"; false; }
endef

.venv/running: .venv/tools $(KERNEL_SOURCES)
	$(call install,.,native,--no-deps)
	@touch $@

.venv/installed: .venv/tools $(KERNEL_SOURCES)
	$(call install,.[dev],all,--config-settings=cmake.define.FLIPDROP_WERROR=ON)
	@touch $@ .venv/packages .venv/running

.venv/installed-bench: .venv/installed
	$(call listed,["project"]["optional-dependencies"]["bench"]) > .venv/requirements
	$(PIP) install --quiet -r .venv/requirements
	@touch $@

# pgx and JAX take half a gigabyte: they have an environment of their own, and where they cannot be installed, the
# benchmark goes without them.
build/pgx/installed: | .venv/bin/python
	$(BIN)/python -m venv build/pgx
	build/pgx/bin/python -m pip --disable-pip-version-check install --quiet "jax>=0.4" "pgx>=2.6" || rm -rf build/pgx/bin
	@touch $@

# The tests of the web page need a browser of the system: Debian's is installed where that can be done without asking.
.venv/browser: | .venv/bin/python
	@for name in chromium chromium-browser google-chrome-stable google-chrome; do command -v $$name && exit; done > /dev/null; \
	test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get update --quiet > .venv/browser.log 2>&1 && \
	apt-get install --quiet --yes --no-install-recommends chromium >> .venv/browser.log 2>&1 || { \
	echo "the tests of the web page need Chromium or Chrome; on Debian: sudo apt-get install chromium" >&2; exit 1; }
	@touch $@

build/sanitized/passed: .venv/installed $(wildcard tests/kernel/*.cpp tests/kernel/*.hpp)
	cmake -S . -B build/sanitized -G Ninja -DFLIPDROP_KERNEL_TESTS=ON -DFLIPDROP_WERROR=ON > build/sanitized.log || { cat build/sanitized.log; false; }
	cmake --build build/sanitized
	ctest --test-dir build/sanitized --parallel 2 --output-on-failure
	@touch $@
