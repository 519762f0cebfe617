# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Ansible refuses to start under a locale that is not UTF-8.
export LC_ALL := C.UTF-8

.DEFAULT_GOAL := help
.PHONY: help demo test gate all docs findings picture screenshot fuzz e2e bench clean

help: ## List the targets.
	@sed -n 's/^\([a-z0-9]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST)

demo: $(READY) ## See it work: run docs/examples/quickstart.yml against a stand-in DNS service, or against yours.
	@$(BIN)/python tests/tools/demo.py

test: $(READY) ## Run the checks that a commit must pass.
	@$(BIN)/python noxfile.py --quick

gate: $(READY) ## Run every required check that needs nothing but Python.
	@$(BIN)/python noxfile.py

all: $(READY) ## Run what CI runs for every change: gate and e2e, and what can differ on older cores and libraries.
	@$(BIN)/python noxfile.py --all

findings: $(READY) ## Update the guide and the tests after a change of the rules of findings.
	@$(BIN)/python tests/tools/findings.py

picture: $(READY) ## Draw docs/diff.svg from a real run, and docs/under_way.svg from simulated services.
	@$(BIN)/python tests/tools/picture.py
	@$(BIN)/python tests/tools/under_way.py

screenshot: $(READY) ## Draw docs/report.png from a real run, in a real browser.
	@$(BIN)/python tests/tools/screenshot.py

docs: $(READY) ## Build the documentation site.
	@$(BIN)/nox -s docs

fuzz: $(READY) ## Try many more random inputs than make gate.
	@FUZZ_INPUTS=$${FUZZ_INPUTS:-24000} $(BIN)/nox -s fuzz

e2e: $(READY) ## Test with a real PowerDNS, BIND, ACME server, PostgreSQL and browser; lists what you must install.
	@$(BIN)/python noxfile.py e2e state report integration_powerdns

bench: $(READY) ## Measure the speed beside other tools, and write docs/performance.md (an hour, on a quiet machine).
	@$(BIN)/nox -s bench

clean: ## Remove everything that make has created.
	@rm -rf $(VENV) .nox .ansible .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* tests/output *.tar.gz
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): meta/ee-requirements.txt requirements-dev.txt
	@command -v git >/dev/null || { echo "git is missing: install it first." >&2; exit 1; }
	@found=; \
	for python in python3.13 python3.12 python3.11 python3 "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/3.1[1-9].*/bin/python3; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  found=$$python; \
	  if "$$python" -c 'import ensurepip, venv' 2>/dev/null; then break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "Python 3.11 or newer is needed, and none was found: install it first." >&2; exit 1; \
	fi; \
	if ! "$$found" -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "$$found has no venv module: install it first (Debian and Ubuntu: apt install python3-venv)." >&2; exit 1; \
	fi; \
	echo "Setting up $(VENV) with $$("$$found" --version) (once, about half a minute)"; \
	"$$found" -m venv --clear $(VENV)
	@echo "Installing what meta/ee-requirements.txt and requirements-dev.txt list: Ansible, and what the tests need"
# uv makes this environment and those of nox in seconds. Where it is not to be had, or reads none of pip's settings and
# so finds no packages, pip does it, and nox must not find uv.
	@pip="$(BIN)/python -m pip --disable-pip-version-check"; packages="-r meta/ee-requirements.txt -r requirements-dev.txt"; \
	if ! { $$pip install -qq uv && $(BIN)/uv pip install -q --python $(BIN)/python $$packages; } 2>/dev/null; then \
	  echo "Without uv, which is not to be had here; with pip that takes some minutes"; \
	  $$pip uninstall -qq --yes uv 2>/dev/null; \
	  $$pip install -qq $$packages; \
	fi
	@touch $@
