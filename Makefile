# Every target does its own set-up. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SKILL ?= examples/skills/changelog-writer
WORKERS ?= 2

.PHONY: help scan test lint verify prove verify-deep generate bench bench-flow detection learned clusters clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

$(STAMP): pyproject.toml constraints.txt hatch_build.py
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sluicegate needs Python 3.11 or later; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e . --group dev
	touch $@

scan: $(STAMP) ## scan one skill: make scan SKILL=path/to/skill
	$(BIN)/sluicegate scan $(SKILL)

test: $(STAMP) ## lint, types, layers and all tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n $(WORKERS)

lint: $(STAMP) ## format the code and fix what can be fixed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

generate: $(STAMP) ## write again everything that is derived (schemas, catalogue, compiled rules)
	$(BIN)/python -m sluicegate.vet.inspect.compile
	$(BIN)/python docs/generate.py

verify: $(STAMP) ## check the verdict and the flow decision against their specification (Python only)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group verify
	$(BIN)/python spec/verify.py

prove: $(STAMP) ## prove the theorems (needs Coq; installs it where apt can)
	PATH="$(CURDIR)/$(BIN):$$PATH" sh spec/prove.sh

verify-deep: $(STAMP) ## millions of differential cases; stop and resume at will
	$(BIN)/python spec/deep.py

bench: $(STAMP) ## measure; CORPUS=dir adds the throughput over a folder of skills
	$(BIN)/python bench/scan.py $(if $(CORPUS),--corpus $(CORPUS))

bench-flow: ## measure decisions, beside other policy engines
	test -x $(VENV)-bench/bin/python || $(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e . --group bench
	$(VENV)-bench/bin/python bench/flow/decision.py

clusters: ## run the tests that need dask and ray, on real clusters of this machine
	test -x $(VENV)-clusters/bin/python || $(PYTHON) -m venv $(VENV)-clusters
	$(VENV)-clusters/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(VENV)-clusters/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e . --group clusters
	$(VENV)-clusters/bin/python -m pytest tests/clusters

learned: ## would a learned analyzer earn its place? make learned CORPUS=file.jsonl.gz
	test -x $(VENV)-train/bin/python || $(PYTHON) -m venv $(VENV)-train
	$(VENV)-train/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(VENV)-train/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e . --group train
	$(VENV)-train/bin/python bench/detection/learned_eval.py $(CORPUS)

detection: $(STAMP) ## measure detection on labelled skills: make detection CORPUS=file.jsonl.gz
	$(BIN)/python bench/detection/measure.py $(CORPUS)

clean: ## remove everything that can be made again
	rm -rf $(VENV) $(VENV)-clusters $(VENV)-train $(VENV)-bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -f src/sluicegate/vet/inspect/rules/compiled.yarc
