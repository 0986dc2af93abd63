# Everything one does with the clone. `make` alone lists it; ARGS="..." goes to the command behind a target.
# Needs Python 3.11 or newer with pip, and works with the make that macOS has (3.81).

RUN = .venv/bin/python -m

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

play: installed  ## open the table (ARGS="--help" says what else it can do)
	@.venv/bin/dicetable $(ARGS)

test: tools  ## run all tests, and say what could not run on this machine and why
	@$(RUN) pytest $(ARGS)

lint: tools  ## look for slips and untidy code (ruff)
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .

types: tools  ## check the types (mypy, strict)
	@$(RUN) mypy

layers: tools  ## check that no module imports what it may not know
	@$(RUN) pytest -q tests/test_layers.py

check: lint types layers test  ## all that CI checks, on this Python

bench: installed  ## measure the screen, and the games' speed beside OpenSpiel where that can be installed
	@PYTHON="$(PYTHON)" sh .ci/venv .venv-bench bench --only-binary open_spiel -e ".[bench]" 2>/dev/null \
		|| echo "OpenSpiel cannot be installed here, so there is nothing to compare with."
	@if .venv-bench/bin/python -c "import pyspiel" 2>/dev/null; \
		then .venv-bench/bin/python -m tests.bench $(ARGS); else $(RUN) tests.bench $(ARGS); fi

bench-vision: installed  ## measure the dice reader: photos, pictures without dice, speed and memory (ARGS="--help" for parts of it)
	@$(RUN) tests.bench.reading $(ARGS)

train:  ## make the dice reader's networks from nothing, in about 80 minutes (PyTorch goes into .venv-train)
	@PYTHON="$(PYTHON)" sh .ci/venv .venv-train train -e ".[train]"
	@.venv-train/bin/python -m vision.train $(ARGS)

soak: installed  ## kill a table in the middle of its games 200 times (ARGS="KILLS SEED"), then read 1,300 filmed rolls
	@$(RUN) tests.soak $(ARGS)
	@$(RUN) tests.soak.rolls

golden: tools  ## write the golden games anew, after a rule was changed on purpose
	@$(RUN) pytest tests/test_golden.py --rewrite-golden $(ARGS)

pictures: tools  ## write the pictures of the screens anew, after a screen was changed on purpose
	@$(RUN) pytest -q tests/test_pictures.py --rewrite-pictures $(ARGS)

screenshots: tools  ## draw every screen and write it to docs/screens/
	@$(RUN) tests.screenshots

faults: tools  ## plant known mistakes in a copy, one at a time, and see that the tests catch each
	@$(RUN) tests.faults

picture: installed  ## play a few turns and draw them as docs/terminal.svg
	@.venv/bin/python docs/picture.py

wheel: tools  ## build the wheel into dist/
	@$(RUN) hatchling build -t wheel

clean:  ## remove everything that was made here
	@rm -rf .venv .venv-* dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find table vision firmware tests -name __pycache__ -prune -exec rm -rf {} +

installed:
	@PYTHON="$(PYTHON)" sh .ci/venv .venv play -e .

tools:
	@PYTHON="$(PYTHON)" sh .ci/venv .venv test -e ".[test]"

.PHONY: help play test lint types layers check bench bench-vision train soak golden pictures screenshots faults picture wheel clean installed tools
