# Last Nose: everything is set up by the first command you type.
# Needs Python 3.11 to 3.13, make and the package registry; nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run-stamp
DEV := $(VENV)/.dev-stamp
PO := $(wildcard companion/locale/*/LC_MESSAGES/*.po)
MO := $(PO:.po=.mo)

.PHONY: run test check bench setup pi dev lock texts drawings prints clean help

help:  ## Say what can be made
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/'

run: setup  ## Start the simulated table with its page
	@$(BIN)/lastnose run --source mock --open $(ARGS)

test: dev  ## Run the tests
	@$(BIN)/python -m pytest $(ARGS)

check:  ## Everything that CI checks
	@bash .ci/run

bench: dev  ## Measure speed, memory and timing error
	@$(BIN)/lastnose bench $(ARGS)

setup: $(RUN) $(MO)  ## Make .venv with lastnose in it

dev: $(DEV) $(MO)  ## Make .venv with all that developers need

texts: dev  ## Merge new sentences into the translations
	$(BIN)/python tests/catalogues.py --update

drawings: dev  ## Draw hardware/build again from the profiles
	$(BIN)/python tests/build_files.py --write

prints: dev  ## Write an STL of each printed part into dist/prints, and renew their pictures (needs openscad, xvfb)
	$(BIN)/python tests/enclosure.py dist/prints
	$(BIN)/python tests/enclosure.py --pictures

pi: setup  ## Add what only a Raspberry Pi needs
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes --only-binary :all: -r requirements-pi.lock

lock: dev  ## Renew the locked versions
	$(BIN)/python tests/locks.py --write

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else "Last Nose needs Python 3.11 to 3.13; this is %d.%d. Say: make PYTHON=python3.12" % v)'
	@$(PYTHON) -c 'import ensurepip' || { echo 'Python lacks ensurepip: on Debian, sudo apt install python3-venv'; exit 1; }
	@$(PYTHON) -m venv $(if $(SYSTEM_SITE_PACKAGES),--system-site-packages) $(VENV)

$(RUN): $(VENV)/bin/python requirements.lock pyproject.toml hatch_build.py
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes --only-binary :all: -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): $(RUN) requirements-dev.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes --only-binary :all: -r requirements-dev.lock
	@touch $@

%.mo: %.po | $(RUN)
	@$(BIN)/python hatch_build.py

clean:  ## Remove what make has made
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache
