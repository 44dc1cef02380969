# Tidings. `make` prints this help.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Run by targets of their own.
ELSEWHERE := tests/browser tests/external tests/processes tests/upgrades tests/deploy tests/container tests/cluster tests/examples tests/clients/typescript_client

# Without it every process of a test run compiles the program anew: 14 of its first 20 seconds.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help client-types install run test test-cluster test-container test-external test-packages test-processes test-upgrade audit bounds fuzz mutants proof-tools simulate soak torture reading-report train browser quick check format lint types bench bench-peers lock clean

help: ## Show what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

install: $(INSTALLED) ## Build the environment in .venv from the locked requirements

$(INSTALLED): requirements/uv.txt requirements/dev.txt pyproject.toml simulator/pyproject.toml clients/python/pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/dev.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . -e simulator -e clients/python
	@touch $@

run: install ## Start Tidings with a sandbox account and a curl line to paste
	@$(BIN)/tidings serve --demo $(ARGS)

test: install ## Run the tests on a real PostgreSQL
	@$(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder $(ELSEWHERE:%=--ignore %) # few but slow tests not last

test-cluster: install ## Lose each host of a cluster: Patroni, etcd and two Tidings hosts in namespaces (Debian, as root)
	@$(BIN)/python -m pytest -s -p no:xdist tests/cluster

test-processes: install ## Kill servers, workers and databases while they are at work
	@$(BIN)/python -m pytest -n 3 --dist loadfile tests/processes

test-upgrade: install ## Upgrade a service under load, old and new processes side by side
	@$(BIN)/python -m pytest tests/upgrades

test-packages: install ## The packages in an empty environment, the deployment files by their linters, the examples, the TypeScript client
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/deploy.txt
	@test -x .venv-examples/bin/python || $(PYTHON) -m venv --without-pip .venv-examples
	@$(BIN)/uv pip install --quiet --python .venv-examples/bin/python --require-hashes -r requirements/examples.txt
	@$(BIN)/uv pip install --quiet --python .venv-examples/bin/python --no-deps --no-build-isolation --reinstall clients/python
	@$(BIN)/python -m pytest -n 2 --dist loadfile tests/deploy tests/examples tests/clients/typescript_client

client-types: install ## Generate the clients' types from the OpenAPI document
	@$(BIN)/python -m tests.clients.describe $(VENV)/openapi.json
	@$(BIN)/python clients/python/generate.py $(VENV)/openapi.json
	@cd clients/typescript && npm ci --silent --no-audit --no-fund && npm run --silent generate -- ../../$(VENV)/openapi.json

test-external: install ## Stores, journeys and crashes on this machine's PostgreSQL behind PgBouncer
	@$(BIN)/python -m tests.external.run

test-container: install .container-base ## The Containerfile in an empty Debian, without an engine (as root)
	@$(BIN)/python -m pytest tests/container

.container-base:
	@debootstrap --variant=minbase --include=python3,python3-venv bookworm $@.new >/dev/null && mv $@.new $@

simulate: install ## Whole Tidings in virtual time, with crashes and lost connections: SEEDS=1000, or SEED=17 to replay one
	@$(BIN)/python -m proof.simulation --seeds $(or $(SEEDS),1000) $(if $(SEED),--seed $(SEED)) $(ARGS)

torture: install ## Kill servers, workers and databases a thousand times under load, and count what was lost or doubled
	@$(BIN)/python -m proof.torture $(ARGS)

fuzz: proof-tools ## A hundred thousand malformed requests, and every parser: no 5xx, every answer in the envelope
	@$(BIN)/python -m proof.fuzz $(ARGS)

mutants: install ## Change charging, idempotency, egress guard, states and quotas one operator at a time: do the tests notice?
	@$(BIN)/python -m proof.mutation $(ARGS)

bounds: install ## Slow clients, bombs, ten thousand connections and a full disk: memory, and how long others wait
	@$(BIN)/python -m proof.bounds $(ARGS)

soak: install ## An hour of load: memory and tables must stay flat (MINUTES=60)
	@$(BIN)/python -m proof.bounds.soak --minutes $(or $(MINUTES),60) $(ARGS)

audit: proof-tools ## Every locked dependency has hashes and is on the list; known faults where their data can be had
	@$(BIN)/python -m proof.audit $(ARGS)

train: install ## Fit the learned reader of replies to the labelled ones: some minutes
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/train.txt
	@$(BIN)/python -m training

reading-report: install ## How well replies of authors held out are read: docs/reading-report.md
	@$(BIN)/python -m bench.reading

proof-tools: install
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/proof.txt

browser: install ## The portal's stories in a real browser (needs chromium)
	@$(BIN)/python -m pytest -n 2 --dist worksteal tests/browser

quick: install ## The rules and one API test of each section of the contract, in under a minute
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m quick tests/test_architecture.py tests/rules \
	  $$(grep -l mark.quick tests/api/*.py)

check: install format lint types test test-processes browser ## Format, lint, types, architecture, tests

format: install
	@$(BIN)/ruff format --check .

lint: install
	@$(BIN)/ruff check .

types: install
	@$(BIN)/mypy

bench: install ## Measure what must be reached, beside Kannel, SAQ and a bare app; fails where missed
	@$(BIN)/python -m bench $(ARGS)

# What the benchmarks compare with; SAQ in an environment of its own. The benchmarks start these programs themselves,
# on free ports: services that the Debian packages may start are not used.
bench-peers: ## Install Kannel, Redis and SAQ, which `make bench` compares with (Debian, as root)
	@DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends kannel redis-server
	@test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	@.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/peers.txt

lock: install ## Lock the newest allowed versions of all dependencies, with hashes
	@$(BIN)/uv pip compile pyproject.toml simulator/pyproject.toml --group dev --universal --python-version 3.11 \
	  --no-emit-package tidings --upgrade \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o requirements/dev.txt
	@$(BIN)/uv pip compile pyproject.toml --extra traces --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate -q -c requirements/dev.txt -o requirements/run.txt
	@echo hatchling | $(BIN)/uv pip compile - --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate -q -c requirements/dev.txt -o requirements/build.txt
	@printf 'check-jsonschema\nhadolint-bin\nkubernetes-validate\n' | $(BIN)/uv pip compile - --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate -q -c requirements/dev.txt -o requirements/deploy.txt
	@printf 'django\nfastapi\nflask\nhatchling\nhttpx\ntwilio\nuvicorn\n' | $(BIN)/uv pip compile - --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate -q -c requirements/dev.txt -o requirements/examples.txt
	@echo scikit-learn | $(BIN)/uv pip compile - --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate -q -c requirements/dev.txt -o requirements/train.txt
	@printf 'atheris<3.1\npip-audit\nschemathesis\n' | $(BIN)/uv pip compile - --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate -q -c requirements/dev.txt -o requirements/proof.txt

clean: ## Remove the environment and caches; data stays
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
