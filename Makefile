# Two commands do everything: `make play` and `make test`. Both set up what they need, once.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check

# Some systems tell Python to keep no compiled files: then each of the many processes that the tests
# start compiles everything again. `make clean` removes them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test test-long quick coverage format bench docs screenshots app-pictures sdist clean

# In a terminal: the app. Anywhere else: one game between two bots, as a demonstration.
play: $(VENV)/.play
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

# The same claims on samples as large as a paper would take, and the tests that cannot be quick.
test-long: $(VENV)/.test
	@scripts/system_packages.sh
	$(BIN)/python -m pytest -n auto --long

# Everything that can be checked in a minute or so: all but the tests of these folders, which start
# programs, browsers and servers, search deeply or play many games.
SKIP_SLOW := $(patsubst %,--ignore=tests/%,browser cli engine envs evals lab mcp players research tui web \
  conformance/test_against_reference.py)

quick: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto $(SKIP_SLOW)

# All tests, and how much of src/ they run. The last line is the figure; htmlcov/ shows the lines.
coverage: $(VENV)/.test
	@scripts/system_packages.sh
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto -m 'not untraced'; status=$$?; \
	  $(BIN)/coverage combine --quiet && $(BIN)/coverage html --quiet && $(BIN)/coverage report; \
	  exit $$status

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.test
	$(BIN)/python -m research.proofs number-run --write
	$(BIN)/python -m research.proofs grid-runner --write
	$(BIN)/python -m scripts.make_docs

# The pictures of the web pages, taken in Chromium.
screenshots: $(VENV)/.test
	@scripts/system_packages.sh
	$(BIN)/python -m scripts.screenshots

# The pictures of the app in the terminal.
app-pictures: $(VENV)/.test
	$(BIN)/python -m scripts.app_pictures

bench: $(VENV)/.bench
	$(BIN)/python -m bench.engine
	$(BIN)/python -m bench.envs
	$(BIN)/python -m bench.web
	$(BIN)/python -m bench.terminal

# The source archive in dist/, and the quick tests as they run in a copy unpacked from it.
sdist: $(VENV)/.test
	rm -rf dist
	$(BIN)/hatchling build -t sdist
	mkdir dist/unpacked
	tar -xf dist/gridwise-*.tar.gz -C dist/unpacked --strip-components 1
	cd dist/unpacked && PYTHONPATH=$$PWD/src $(CURDIR)/$(BIN)/python -m pytest -n auto $(SKIP_SLOW)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf .coverage .coverage.* htmlcov dist
	find bench examples research scripts src tests -name __pycache__ -prune -exec rm -rf {} +

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

$(VENV)/.test: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@ $(VENV)/.play

$(VENV)/.bench: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev,bench]'
	@touch $@ $(VENV)/.test $(VENV)/.play
