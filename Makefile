# Every command a person or CI runs. Each target does what it needs from a bare clone, without root.

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
ARGS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
CREATED := $(VENV)/.created
RUNTIME := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
WEB := api/playground/web
PAGE := api/playground/static/index.html
PAGE_SOURCES := $(wildcard $(WEB)/*.* $(WEB)/src/*)
# An editable installation warns of itself.
PROJECT := PYTHONWARNINGS=ignore $(PIP) install --no-deps --no-build-isolation --editable .
LOCK := CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --generate-hashes --strip-extras \
	--allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
	--build-deps-for editable

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Two targets of one call would install into one environment at the same time.
.NOTPARALLEL:
.PHONY: help serve seed test verify check format schema tools docs bench lock page try-page clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' Makefile

serve: $(RUNTIME) try-page ## run the server at http://127.0.0.1:8000 (ARGS="--port 9000" passes options)
	$(BIN)/loregraph serve $(ARGS)

seed: $(RUNTIME) ## fill the data folder with the embedded data, without serving
	$(BIN)/loregraph seed $(ARGS)

test: $(DEV) try-page ## run the test suite with coverage (ARGS="-k cursor" passes options)
	$(BIN)/pytest -q -n $(WORKERS) -m "not verify" --cov --cov-report=term:skip-covered $(ARGS)

verify: $(DEV) ## run the slow suites and the suites that others wrote
	$(BIN)/pytest -q -m verify $(ARGS)

check: $(DEV) ## lint, format, types, import contracts, locks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest -q tests/contracts/test_locks.py

format: $(DEV) ## format the code and sort its imports
	$(BIN)/ruff check --fix --exit-zero --quiet .
	$(BIN)/ruff format .

schema: $(DEV) ## refresh schema.graphql
	$(BIN)/loregraph schema --output schema.graphql

tools: $(DEV) ## refresh tools.json
	$(BIN)/loregraph tools --output tools.json

docs: $(DEV) ## refresh docs/settings.md and .env.example
	$(BIN)/python -m api.settings_reference

bench: $(DEV) ## measure the speed against a bare ASGI route
	$(BIN)/python -m bench $(ARGS)

page: $(PAGE) ## build the playground page (needs Node.js 20.19 or newer, with npm)

lock: $(DEV) ## resolve pyproject.toml anew into the two lock files (needs the network)
	$(LOCK) --extra dev --output-file requirements-dev.lock pyproject.toml
	$(LOCK) --output-file requirements.lock pyproject.toml

clean: ## remove the virtual environment and everything made; the data folder stays
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* htmlcov coverage.xml \
		.mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	rm -rf $(WEB)/node_modules api/playground/static
	find api schema resolvers sources tests bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(CREATED):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'loregraph needs Python 3.11 or newer; name one with `make PYTHON=/path/to/python3.11`.'; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUNTIME): requirements.lock pyproject.toml | $(CREATED)
	$(PIP) install --require-hashes -r requirements.lock
	$(PROJECT)
	@touch $@

$(DEV): requirements-dev.lock requirements.lock pyproject.toml | $(CREATED)
	$(PIP) install --require-hashes -r requirements-dev.lock
	$(PROJECT)
	@touch $(RUNTIME) $@

$(PAGE): $(PAGE_SOURCES)
	cd $(WEB) && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error --prefer-offline \
		--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000
	cd $(WEB) && npm run --silent build -- --logLevel warn
	@touch $@

# Serving and testing go on without the page: a small one that needs no build stands in for it.
try-page:
	@if [ -z "$$(command -v npm)" ]; then \
		[ -f $(PAGE) ] || echo 'npm is not there: the small page is served. With Node.js, `make page` builds the full one.'; \
	else \
		[ -f $(PAGE) ] || echo 'Building the page, once.'; $(MAKE) --silent page || echo 'The page could not be built: the small page is served.'; \
	fi
