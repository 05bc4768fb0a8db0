# Every target does its own set-up. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SKILL ?= examples/skills/changelog-writer
WORKERS ?= 2
ZIZMOR ?= --offline

# A thousand processes of the tests would each compile the package anew: 1.3 s for a scan instead of 0.3 s.
unexport PYTHONDONTWRITEBYTECODE

INSTALL := -m pip install --quiet --disable-pip-version-check

.PHONY: help scan test test-slow agents browser coverage workflows lint generate docs verify prove verify-deep bench bench-flow \
	detection learned clusters adapters agentdojo dist sbom picture clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

define NEW_ENOUGH
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sluicegate needs Python 3.11 or later; set PYTHON=")'
endef

$(STAMP): pyproject.toml constraints.txt hatch_build.py
	$(NEW_ENOUGH)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(INSTALL) --upgrade 'pip>=25.1'
	$(BIN)/python $(INSTALL) -c constraints.txt -e . --group dev
	touch $@

# What scanning needs and no more: for those who came to try, and not to develop.
$(VENV)-scan/.installed: pyproject.toml constraints.txt hatch_build.py
	@$(NEW_ENOUGH)
	@test -x $(VENV)-scan/bin/python || $(PYTHON) -m venv $(VENV)-scan
	@$(VENV)-scan/bin/python $(INSTALL) -c constraints.txt -e .
	@touch $@

# An environment of its own for a group of tools: $(VENV)-release.
$(VENV)-%/.installed: pyproject.toml constraints.txt
	test -x $(VENV)-$*/bin/python || $(PYTHON) -m venv $(VENV)-$*
	$(VENV)-$*/bin/python $(INSTALL) --upgrade 'pip>=25.1'
	$(VENV)-$*/bin/python $(INSTALL) -c constraints.txt -e . --group $*
	touch $@

# The code of the gate is printed, and make's own says whether it could run.
scan: $(VENV)-scan/.installed ## scan one skill: make scan SKILL=path/to/skill
	@code=0; $(VENV)-scan/bin/sluicegate scan $(SKILL) || code=$$?; \
	case $$code in 0) word=SAFE ;; 1) word=DO_NOT_INSTALL ;; 3) word=CAUTION ;; *) exit $$code ;; esac; \
	printf '\nsluicegate scan says %s: exit code %s\n' "$$word" "$$code"

test: $(STAMP) ## lint, types, layers, workflows and all tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(MAKE) --no-print-directory workflows
	$(BIN)/python -m pytest -n $(WORKERS)

# Offline, as everything in `make test`. Online it also asks whether each pinned commit is the version beside it: ZIZMOR=
workflows: $(STAMP) ## audit our workflows, action and hooks
	$(BIN)/zizmor --quiet --no-progress --persona auditor --strict-collection $(ZIZMOR) .

test-slow: $(STAMP) ## tests that build, install or need the network: pre-commit, the wheel, the action, the container's steps
	$(BIN)/python $(INSTALL) -c constraints.txt --group slow
	$(BIN)/python -m pytest -m slow tests

# The agents are programs of their vendors, of their sizes (half a gigabyte); what they import is fetched once. Nothing of theirs is run to install them.
agents: $(STAMP) ## attacks and honest work with the real Claude Code, Codex and Gemini CLI, offline, with a scripted model (needs npm)
	@command -v npm >/dev/null || { echo 'make agents needs npm and Node.js 20 or later, and did not find npm' >&2; exit 2; }
	@sh tests/agents/network.sh true || { echo 'make agents needs a network of its own (unshare), which this machine does not let it have' >&2; exit 2; }
	mkdir -p build/agents && cp tests/agents/package.json tests/agents/package-lock.json build/agents/
	npm ci --prefix build/agents --no-audit --no-fund --ignore-scripts --loglevel=error
	place=$$(mktemp -d); code=0; \
	  sh tests/agents/network.sh $(BIN)/python -m pytest -m agents -n $(WORKERS) --basetemp="$$place/runs" tests/agents || code=$$?; \
	  rm -rf "$$place"; exit $$code

# Lines, and no branches: with sys.monitoring (Python 3.12 and later) that costs little, and branches only from 3.14 on.
coverage: $(STAMP) ## tests with all examples of properties: which lines they reach, as a table and as pages in build/coverage; below the floor it fails
	$(BIN)/python $(INSTALL) -c constraints.txt --group coverage
	COVERAGE_CORE=$$($(BIN)/python -c 'import sys; print("sysmon" if sys.version_info >= (3, 12) else "ctrace")') \
	  $(BIN)/python -m pytest -n $(WORKERS) --hypothesis-profile=all-examples --cov --cov-report=term:skip-covered --cov-report=html:build/coverage

BROWSERS := chromium chromium-browser google-chrome

browser: $(STAMP) ## what the tests of the HTML report in a real browser need; they skip without it
	for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium
	$(BIN)/python $(INSTALL) -c constraints.txt --group browser

# As root, Chromium starts without its sandbox only; what it shows is our own example.
picture: $(STAMP) ## draw docs/images/report.png again: the HTML report of an example, in Chromium
	browser=$$(for name in $(BROWSERS); do command -v $$name && break; done); \
	  test -n "$$browser" || { echo 'no browser: make browser installs Chromium' >&2; exit 2; }; \
	  mkdir -p build/picture docs/images; rm -f docs/images/report.png; \
	  $(BIN)/sluicegate scan examples/skills/invoice-reader --no-config --quiet --fail-on never --output build/picture/report.html >/dev/null && \
	  "$$browser" --headless --disable-gpu --hide-scrollbars --window-size=1000,966 $$(test "$$(id -u)" != 0 || echo --no-sandbox) \
	    --user-data-dir="$(CURDIR)/build/picture/browser" --screenshot="$(CURDIR)/docs/images/report.png" "file://$(CURDIR)/build/picture/report.html" 2>build/picture/log \
	    || { cat build/picture/log >&2; exit 2; }
	test "$$(wc -c <docs/images/report.png)" -lt 200000

lint: $(STAMP) ## format the code and fix what can be fixed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

generate: $(STAMP) ## write again everything that is derived (schemas, catalogue, compiled rules and patterns)
	$(BIN)/python -m sluicegate.vet.inspect.compile
	$(BIN)/python -m sluicegate.compile_patterns
	$(BIN)/python docs/generate.py

docs: $(VENV)-docs/.installed ## build the documentation site in build/docs; a link that leads nowhere is an error
	$(VENV)-docs/bin/python docs/site/build.py

verify: $(STAMP) ## check the verdict and the flow decision against their specification (Python only)
	$(BIN)/python $(INSTALL) -c constraints.txt --group verify
	$(BIN)/python spec/verify.py

prove: $(STAMP) ## prove the theorems (needs Coq; installs it where apt can)
	PATH="$(CURDIR)/$(BIN):$$PATH" sh spec/prove.sh

verify-deep: $(STAMP) ## millions of differential cases; stop and resume at will
	$(BIN)/python spec/deep.py

bench: $(STAMP) ## measure; CORPUS=dir adds the throughput over a folder of skills
	$(BIN)/python bench/scan.py $(if $(CORPUS),--corpus $(CORPUS))

bench-flow: ## measure decisions, beside other policy engines
	test -x $(VENV)-bench/bin/python || $(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python $(INSTALL) --upgrade 'pip>=25.1'
	$(VENV)-bench/bin/python $(INSTALL) -c constraints.txt -e . --group bench
	$(VENV)-bench/bin/python bench/flow/decision.py
	$(VENV)-bench/bin/python bench/flow/session.py
	$(VENV)-bench/bin/python bench/flow/gateway.py

conformance: $(STAMP) ## run the public conformance suite of MCP against servers, and the gateway before them (needs npm)
	npm install --no-audit --no-fund --prefix $(VENV)-conformance/stable node@22 @modelcontextprotocol/conformance@0.1.16
	npm install --no-audit --no-fund --prefix $(VENV)-conformance/next node@22 @modelcontextprotocol/conformance@0.2.0-alpha.12
	test -d $(VENV)-conformance/everything || { $(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary mcp \
	  --dest $(VENV)-conformance mcp==2.3.0 && mkdir $(VENV)-conformance/everything && tar -xzf $(VENV)-conformance/mcp-2.3.0.tar.gz \
	  -C $(VENV)-conformance/everything --strip-components=4 mcp-2.3.0/examples/servers/everything-server; }
	$(BIN)/python bench/conformance.py $(VENV)-conformance

clusters: ## run the tests that need dask and ray, on real clusters of this machine
	test -x $(VENV)-clusters/bin/python || $(PYTHON) -m venv $(VENV)-clusters
	$(VENV)-clusters/bin/python $(INSTALL) --upgrade 'pip>=25.1'
	$(VENV)-clusters/bin/python $(INSTALL) -c constraints.txt -e . --group clusters
	$(VENV)-clusters/bin/python -m pytest tests/clusters

adapters: $(VENV)-adapters/.installed ## run the tests that need the frameworks for agents, with scripted models and no network
	$(VENV)-adapters/bin/python -m pytest tests/adapters

agentdojo: $(VENV)-agentdojo/.installed ## AgentDojo with an agent that is taken over, in process and through the gateway: as policy decides, and with a person
	$(VENV)-agentdojo/bin/python bench/agentdojo/tasks.py
	$(VENV)-agentdojo/bin/python bench/agentdojo/tasks.py --confirm
	$(VENV)-agentdojo/bin/python bench/agentdojo/tasks.py --gateway
	$(VENV)-agentdojo/bin/python bench/agentdojo/tasks.py --gateway --confirm

learned: ## would a learned analyzer earn its place? make learned CORPUS=file.jsonl.gz
	test -x $(VENV)-train/bin/python || $(PYTHON) -m venv $(VENV)-train
	$(VENV)-train/bin/python $(INSTALL) --upgrade 'pip>=25.1'
	$(VENV)-train/bin/python $(INSTALL) -c constraints.txt -e . --group train
	$(VENV)-train/bin/python bench/detection/learned_eval.py $(CORPUS)

detection: $(STAMP) ## measure detection on labelled skills: make detection CORPUS=file.jsonl.gz
	$(BIN)/python bench/detection/measure.py $(CORPUS)

dist: $(VENV)-release/.installed ## build the wheel and the source archive, the same bytes for the same commit
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(VENV)-release/bin/python -m build --outdir dist .

sbom: $(VENV)-release/.installed ## list what the wheel of dist/ installs, as CycloneDX
	bash .github/release/sbom.sh dist build/sbom/sluicegate.cdx.json $(VENV)-release/bin/python

clean: ## remove everything that can be made again
	rm -rf $(VENV) $(VENV)-scan $(VENV)-docs $(VENV)-release $(VENV)-clusters $(VENV)-train $(VENV)-bench $(VENV)-agentdojo $(VENV)-adapters build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -f src/sluicegate/vet/inspect/rules/compiled.yarc src/sluicegate/compiled.patterns
