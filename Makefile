# Papilio. `make demo`, `make test` and `make test-all` do all the set-up they need; only Python, make and a network
# are taken for granted.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SPARK := .venv-spark

# Python keeps what it compiled: hundreds of commands that tests start then start sooner.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test test-all lint types imports tests long-tests coverage kernels-without-jit bench bench-page docs requirements hooks release clean

help:  ## Show what there is to make.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 22

$(VENV)/runtime: requirements/runtime.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/runtime.txt -c requirements/runtime.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev: requirements/dev.txt $(VENV)/runtime
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt -c requirements/dev.txt
	@touch $@

demo: $(VENV)/runtime  ## Publish the sample data, verify it and write the report.
	rm -rf papilio-demo
	$(BIN)/papilio demo --output papilio-demo

test: lint types imports tests  ## What to run before a change: everything of value, in ten minutes.

test-all: long-tests kernels-without-jit coverage bench-page  ## What `make test` leaves out: all examples, Apache Spark, kernels as plain Python, coverage, benchmarks.

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

imports: $(VENV)/dev
	$(BIN)/lint-imports

# Browser tests need Chromium, those of printed reports also pdftotext; where they are missing,
# Debian's are installed if that is allowed. With CI set, tests fail that would be skipped otherwise.
$(VENV)/browser: $(VENV)/dev
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || command -v google-chrome >/dev/null \
	  || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 \
	  || echo "no Chromium here and none could be installed: tests in a browser will be skipped"
	@command -v pdftotext >/dev/null \
	  || { apt-get update -qq && apt-get install -y -qq --no-install-recommends poppler-utils; } >/dev/null 2>&1 \
	  || echo "no pdftotext here and none could be installed: tests of printed text will be skipped"
	@touch $@

# Tests with Apache Spark need Java and half a gigabyte of Spark, in an environment of its own.
$(SPARK)/installed: requirements/spark-server.txt
	@command -v java >/dev/null \
	  || { apt-get update -qq && apt-get install -y -qq --no-install-recommends default-jre-headless; } >/dev/null 2>&1 \
	  || { echo "no Java here and none could be installed: tests with Apache Spark will be skipped"; exit 0; }; \
	$(PYTHON) -m venv $(SPARK) \
	  && $(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/spark-server.txt -c requirements/spark-server.txt \
	  && touch $@ || echo "Apache Spark could not be installed: tests with it will be skipped"

# Each worker begins with half of the tests, one file after the other, and takes over from the other
# when it is done: no worker waits, and what a file prepares is rarely prepared twice.
PYTEST := $(BIN)/pytest -n 2 --dist worksteal -q

tests: $(VENV)/dev $(VENV)/browser
	$(PYTEST) -m 'not long' --durations 20

long-tests: $(VENV)/dev $(VENV)/browser $(SPARK)/installed
	PAPILIO_TESTS=all $(PYTEST) -m 'long or searches' --durations 20

coverage: $(VENV)/dev $(VENV)/browser  ## The tests of `make test`, and which lines they reach; half as long again.
	$(PYTEST) -m 'not long' --cov --cov-report=term

kernels-without-jit: $(VENV)/dev
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m 'not compiled and not long' tests/kernels tests/methods tests/privacy

bench: $(VENV)/dev  ## Measure speed and memory on one page; fails if a ratio is out of bounds. BENCH=--quick for less.
	$(BIN)/python benchmarks/bench.py $(BENCH)

bench-page:
	$(MAKE) bench BENCH=--quick

docs: $(VENV)/dev  ## Regenerate the parts of the documentation that come from the code.
	$(BIN)/python docs/generate.py

requirements: $(VENV)/dev  ## Pin all dependencies anew.
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --extra postgres --output-file requirements/runtime.txt requirements/build.in pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file requirements/dev.txt requirements/dev.in
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file requirements/spark-server.txt requirements/spark-server.in

hooks: $(VENV)/dev  ## Let git run lint, types and import rules before each commit.
	$(BIN)/pre-commit install

release: $(VENV)/dev  ## Build wheel and sdist of the last commit, check and try both. RELEASE=--final to refuse rehearsals.
	$(BIN)/python tools/release.py $(RELEASE)

clean:  ## Remove everything that was made.
	rm -rf $(VENV) $(SPARK) papilio-demo bench-data build dist .numba_cache .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
