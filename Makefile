# Two commands do everything: `make play` and `make test`. Both set up what they need, once.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: play test format bench docs screenshots growth clean

# In a terminal: the menu. Anywhere else: one game between two bots, as a demonstration.
play: $(VENV)/.prepared
	@echo "In a browser: $(BIN)/gridwise serve"
	@if [ -t 0 ] && [ -t 1 ]; then \
	  $(BIN)/gridwise; \
	else \
	  $(BIN)/gridwise play number-connect --p1 bot:random --p2 bot:random --seed 15 --plain; \
	fi

test: $(VENV)/.test
	@scripts/system_packages.sh
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.test
	$(BIN)/python scripts/make_docs.py

# The pictures of the web pages, taken in Chromium.
screenshots: $(VENV)/.test
	@scripts/system_packages.sh
	$(BIN)/python scripts/screenshots.py

growth: $(VENV)/.test
	$(BIN)/python scripts/plot_growth.py

bench: $(VENV)/.bench
	$(BIN)/python -m bench.speed
	$(BIN)/python -m bench.engine
	$(BIN)/python -m bench.chance
	$(BIN)/python -m bench.envs
	$(BIN)/python -m bench.web

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist

# A virtual environment needs Python 3.11 or newer and, on Debian, the package python3-venv.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Gridwise needs Python 3.11 or newer; $$($(PYTHON) --version) is here. Try: make PYTHON=python3.12 play"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.play: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable '.[web]'
	@touch $@

$(VENV)/.prepared: $(VENV)/.play
	@$(BIN)/gridwise prepare
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@ $(VENV)/.play

$(VENV)/.bench: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev,bench]'
	@touch $@ $(VENV)/.test $(VENV)/.play
