# Everything one does with the clone. `make` alone lists it; ARGS="..." goes to the command behind a target.
# Needs Python 3.11 or newer with pip, and works with the make that macOS has (3.81).

RUN = .venv/bin/python -m

# Tests and measurements start hundreds of processes: what Python has compiled once it keeps, whatever the shell says.
export PYTHONDONTWRITEBYTECODE =

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

play: installed  ## open the table (ARGS="--help" says what else it can do)
	@.venv/bin/dicetable $(ARGS)

test: tools  ## run all tests, and say what could not run on this machine and why
	@$(RUN) pytest -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

lint: tools  ## look for slips and untidy code (ruff)
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .

types: tools  ## check the types (mypy, strict)
	@$(RUN) mypy

layers: tools  ## check that no module imports what it may not know
	@$(RUN) pytest -q tests/test_layers.py

check: lint types layers test  ## all that CI checks, on this Python

bench: installed  ## measure the screen, the camera, and the games' speed beside OpenSpiel where that can be installed
	@PYTHON="$(PYTHON)" sh .ci/venv .venv-bench bench --only-binary open_spiel -e ".[bench]" 2>/dev/null \
		|| echo "OpenSpiel cannot be installed here, so there is nothing to compare with."
	@if .venv-bench/bin/python -c "import pyspiel" 2>/dev/null; \
		then .venv-bench/bin/python -m tests.bench $(ARGS); else $(RUN) tests.bench $(ARGS); fi

bench-vision: installed  ## measure the dice reader: photos, pictures without dice, speed and memory (ARGS="--help" for parts of it)
	@$(RUN) tests.bench.reading $(ARGS)

bench-records: installed  ## keep 100,000 finished games: bytes a game, and how long each page of the records takes (minutes; ARGS="--games 5000")
	@$(RUN) tests.bench.records $(ARGS)

solve: installed  ## build the tables of the computer players anew, from nothing but the rules (ARGS="--help" for parts of it)
	@$(RUN) table.games.solve $(ARGS)

train:  ## make the dice reader's networks from nothing, in about an hour (PyTorch goes into .venv-train)
	@PYTHON="$(PYTHON)" sh .ci/venv .venv-train train -e ".[train]"
	@.venv-train/bin/python -m vision.train $(ARGS)

soak: installed  ## kill a table 200 times (ARGS="KILLS SEED"), read 1,300 filmed rolls, play half an hour under a camera, bend 200,000 lines of an e-dice, play 200 games by phone
	@$(RUN) tests.soak $(ARGS)
	@$(RUN) tests.soak.rolls
	@$(RUN) tests.soak.camera
	@$(RUN) tests.soak.edice
	@$(RUN) tests.soak.phones

arm-check: tools  ## run the rules and the dice reader as a Pi's processor would, under qemu (tens of minutes; ARGS="bookworm" for that Debian)
	@$(RUN) tests.arm $(ARGS)

vm-test: tools  ## boot a Debian in qemu, install the table there and see that it stays up (tens of minutes; ARGS="--help")
	@$(RUN) tests.vm $(ARGS)

micropython:  ## fetch MicroPython for the tests of the firmware, into your cache folder (node runs it)
	@sh .ci/micropython

golden: tools  ## write the golden games anew, after a rule was changed on purpose
	@$(RUN) pytest tests/test_golden.py --rewrite-golden $(ARGS)

pictures: tools  ## write the pictures of screens and charts anew, after one was changed on purpose
	@$(RUN) pytest -q tests/test_pictures.py tests/test_charts.py --rewrite-pictures $(ARGS)

screenshots: tools  ## draw every screen and write it to docs/screens/
	@$(RUN) tests.screenshots

faults: tools  ## plant known mistakes in a copy, one at a time, and see that the tests catch each (ARGS="rules hotspot" for some groups)
	@$(RUN) tests.faults $(ARGS)

picture: installed  ## play a few turns and draw them as docs/terminal.svg
	@.venv/bin/python docs/picture.py

wiring: installed  ## draw how the electronic dice and the buttons are wired, and a tray, into docs/
	@.venv/bin/python docs/wiring.py

wheel: tools  ## build the wheel into dist/
	@$(RUN) hatchling build -t wheel

clean:  ## remove everything that was made here
	@rm -rf .venv .venv.lock .venv-* dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find table vision firmware tests -name __pycache__ -prune -exec rm -rf {} +

installed:
	@PYTHON="$(PYTHON)" sh .ci/venv .venv play -e .

tools:
	@PYTHON="$(PYTHON)" sh .ci/venv .venv test -e ".[test]"

.PHONY: help play test lint types layers check bench bench-vision bench-records solve train soak arm-check vm-test micropython golden pictures screenshots faults picture wiring wheel clean installed tools
