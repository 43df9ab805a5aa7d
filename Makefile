# Last Nose: everything is set up by the first command you type.
# Needs Python 3.11 to 3.15 (or uv, which gets one), make and the package registry; nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run-stamp
TEST := $(VENV)/.test-stamp
DEV := $(VENV)/.dev-stamp
HALL := $(VENV)/.hall-stamp
DOCS := $(VENV)/.docs-stamp
# Nothing is compiled ahead: that takes as long as all the rest, and most of it is never imported.
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-compile
LOCKED := $(PIP) --no-deps --require-hashes --only-binary :all:
EDITABLE := $(PIP) --no-deps --no-build-isolation --editable .
CHECKABLE := $(BIN)/python -c 'import sys; sys.exit("Developers need packages that there are for Python 3.11 to 3.14 only. Say: make clean, then make dev PYTHON=python3.14" if sys.version_info[:2] > (3, 14) else 0)'
PACKAGE := $(VENV)/bin/python pyproject.toml hatch_build.py
PO := $(wildcard companion/i18n/locale/*/LC_MESSAGES/*.po)
MO := $(PO:.po=.mo)
# What `make mutants` breaks: packages and files.
MUTANTS := companion/timing companion/games companion/evening companion/table/store.py companion/table/log_file.py

# Targets that share .venv are made one after the other.
.NOTPARALLEL:
.PHONY: run hall hall-demo test check mutants campaign bench setup pi mqtt dev lock texts javascript drawings prints pcb docs deb release card clean help

help:  ## Say what can be made
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/'

run: setup  ## Start the simulated table with its page
	@$(BIN)/lastnose run --source mock --open $(ARGS)

test: $(TEST)  ## Run the tests, but for the heavy ones, in two minutes
	@$(BIN)/python -m pytest -q -n auto --maxprocesses 8 --dist worksteal $(ARGS)

check:  ## Everything that CI checks, the heavy tests too, in half an hour
	@bash .ci/run

mutants: dev  ## Break the code on purpose and list what no test notices (ARGS="--sample 100" for a part)
	@PYTHONPATH=tests $(BIN)/python -m mutants $(MUTANTS) $(ARGS)

campaign: dev  ## Attack a running table in half an hour: kills, cuts, storms (ARGS="kills --scale 0.1" for a part)
	@$(BIN)/python -m tests.campaign $(ARGS)

bench: dev  ## Measure speed, memory and timing error
	@$(BIN)/python -m tests.bench $(ARGS)

setup: $(RUN) $(MO)  ## Make .venv with lastnose in it

dev: $(DEV) $(MO)  ## Make .venv with all that developers need

texts: dev  ## Merge new sentences into the translations
	$(BIN)/python -m tools.catalogues --update

javascript: dev  ## Put the pages' scripts into form, and renew the API's types for them (needs node and npm)
	npm ci --silent --prefix tests/javascript
	$(BIN)/python -m tools.api_types --write
	tests/javascript/node_modules/@biomejs/cli-*/biome check --write --config-path=tests/javascript/style.json web/static tests/javascript

drawings: dev  ## Draw hardware/build again from the profiles
	$(BIN)/python -m tools.build_files --write

prints: dev  ## Write an STL of each printed part into dist/prints, check them, and renew their pictures (needs openscad, xvfb)
	$(BIN)/python -m tools.enclosure dist/prints
	$(BIN)/python -m tools.enclosure --pictures

pcb: dev  ## Have KiCad 9 judge the printed circuits, and write what a maker wants into dist/circuits (as root or with sudo)
	bash tools/circuit.sh dist/circuits
	$(BIN)/python -m tools.circuits dist/circuits

docs: setup $(DOCS)  ## Make the site of docs in dist/docs (half a minute)
	@$(BIN)/python -m tools.docs $(ARGS)

deb: dev  ## Write the Debian packages for arm64 and amd64 into dist (two minutes; ARGS=arm64 for one)
	$(BIN)/python -m tools.deb dist $(ARGS)

release: dev  ## Write all files of this version into dist, and try them in clean Debian systems (as root or with sudo)
	bash tools/pico.sh dist/pico
	bash tools/circuit.sh dist/circuits
	$(BIN)/python -m tools.release dist
	bash tests/machines/flashed.sh dist
	bash tests/machines/released.sh dist

card: dev  ## Write the files for a blank card into dist/card (ARGS="home6 FR": profile, country; then a language)
	$(BIN)/python -m tools.card dist/card $(ARGS)

hall: setup $(HALL)  ## Set up a hall of many tables and start it (ARGS="--data spring-cup")
	@$(BIN)/lastnose hall run $(ARGS)

hall-demo: setup $(HALL)  ## The same with eight simulated tables that play, to see how it goes
	@$(BIN)/lastnose hall simulate --tables 8 --data .cache/hall $(ARGS)

pi: setup  ## Add what only a Raspberry Pi needs
	@$(LOCKED) -r requirements-pi.lock

mqtt: setup  ## Add what tells an MQTT broker, and by that Home Assistant, what happens
	@$(LOCKED) -r requirements-mqtt.lock

lock: dev  ## Renew the locked versions
	$(BIN)/python -m tools.locks --write

$(VENV)/bin/python:
	@if $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 15))' 2>/dev/null; then \
	    $(PYTHON) -c 'import sys; sys.exit(sys.maxsize < 2**32)' || \
	        { echo 'Last Nose needs a 64-bit system: a Raspberry Pi Zero 2 W, 3, 4, 5, 400, 500 or Compute Module with the 64-bit Raspberry Pi OS.' >&2; exit 1; }; \
	    $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	        { echo 'Python lacks ensurepip: on Debian, sudo apt install python3-venv' >&2; exit 1; }; \
	    $(PYTHON) -m venv $(if $(SYSTEM_SITE_PACKAGES),--system-site-packages) $(VENV); \
	elif command -v uv >/dev/null; then \
	    echo 'No Python 3.11 to 3.15 is called $(PYTHON): uv brings one.' >&2; \
	    uv venv --quiet --seed --python '>=3.11,<3.16' $(if $(SYSTEM_SITE_PACKAGES),--system-site-packages) $(VENV); \
	else \
	    found=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo missing); \
	    echo "Last Nose needs Python 3.11 to 3.15; $(PYTHON) is $$found. Say: make PYTHON=python3.13, or install uv: then make gets a Python by itself." >&2; \
	    exit 1; \
	fi

$(RUN): $(PACKAGE) requirements.lock
	@$(LOCKED) -r requirements.lock
	@$(EDITABLE)
	@touch $@

# The larger locks hold the smaller ones, so a fresh .venv is filled in one go.
$(TEST): $(PACKAGE) requirements.lock requirements-test.lock
	@$(LOCKED) -r requirements-test.lock
	@$(EDITABLE)
	@touch $(RUN) $@

$(DEV): $(PACKAGE) requirements.lock requirements-test.lock requirements-dev.lock
	@$(CHECKABLE)
	@$(LOCKED) -r requirements-dev.lock
	@$(EDITABLE)
	@touch $(RUN) $(TEST) $@

$(HALL): $(RUN) requirements-hall.lock
	@$(LOCKED) -r requirements-hall.lock
	@touch $@

$(DOCS): $(RUN) requirements-docs.lock
	@$(CHECKABLE)
	@$(LOCKED) -r requirements-docs.lock
	@touch $@

%.mo: %.po | $(RUN)
	@$(BIN)/python hatch_build.py

clean:  ## Remove what make has made
	rm -rf $(VENV) .cache .hatch .mypy_cache .ruff_cache .pytest_cache
