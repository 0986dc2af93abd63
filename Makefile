# All commands for working in a clone. `make` alone lists the targets; ARGS="..." is passed to a target's command.
# Needs Python 3.11 or newer with pip, and works with macOS's make (3.81).

RUN = .venv/bin/python -m

# Tests and benchmarks start hundreds of processes, so keep Python's bytecode cache even if the shell disables it.
export PYTHONDONTWRITEBYTECODE =

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

play: installed  ## open the table (ARGS="--help" lists other commands)
	@.venv/bin/dicetable $(ARGS)

test: tools  ## run all tests; lists those that cannot run on this machine, and why
	@$(RUN) pytest -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

lint: tools  ## check style and common mistakes (ruff)
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .

types: tools  ## check types (mypy, strict)
	@$(RUN) mypy

layers: tools  ## check that imports follow the layers of the architecture
	@$(RUN) pytest -q tests/test_layers.py

check: lint types layers test  ## run all of CI's checks, on this version of Python

bench: installed  ## benchmark the screen, the camera and the games, and compare the games with OpenSpiel if it can be installed
	@PYTHON="$(PYTHON)" sh .ci/venv .venv-bench bench --only-binary open_spiel -e ".[bench]" 2>/dev/null \
		|| echo "OpenSpiel cannot be installed here, so there is nothing to compare with."
	@if .venv-bench/bin/python -c "import pyspiel" 2>/dev/null; \
		then .venv-bench/bin/python -m tests.bench $(ARGS); else $(RUN) tests.bench $(ARGS); fi

bench-vision: installed  ## benchmark the dice reader: accuracy on photos, false positives, speed, memory (ARGS="--help" for single parts)
	@$(RUN) tests.bench.reading $(ARGS)

bench-records: installed  ## benchmark records of 100,000 games: bytes per game, time per page (takes several minutes; ARGS="--games 5000" for fewer)
	@$(RUN) tests.bench.records $(ARGS)

solve: installed  ## recompute the computer players' tables from the rules (ARGS="--help" for single parts)
	@$(RUN) table.games.solve $(ARGS)

train:  ## train the dice reader's networks from scratch, in about an hour (installs PyTorch into .venv-train)
	@PYTHON="$(PYTHON)" sh .ci/venv .venv-train train -e ".[train]"
	@.venv-train/bin/python -m vision.train $(ARGS)

soak: installed  ## long tests: kill a table 200 times (ARGS="KILLS SEED"), read 1,300 filmed rolls and 360 throws in bad light, learn the dice of 20 tables, play for half an hour with a camera, corrupt 200,000 lines of an e-dice, play 200 games by phone
	@$(RUN) tests.soak $(ARGS)
	@$(RUN) tests.soak.rolls
	@$(RUN) tests.soak.films
	@$(RUN) tests.soak.learning
	@$(RUN) tests.soak.camera
	@$(RUN) tests.soak.edice
	@$(RUN) tests.soak.phones

arm-check: tools  ## test the rules and the dice reader on ARM in qemu (tens of minutes; ARGS="bookworm" for that Debian release)
	@$(RUN) tests.arm $(ARGS)

vm-test: tools  ## test the installation on Debian in a qemu virtual machine (tens of minutes; ARGS="--help" for options)
	@$(RUN) tests.vm $(ARGS)

micropython:  ## download MicroPython for the firmware's tests into your cache folder (the tests also need node)
	@sh .ci/micropython

golden: tools  ## update the golden games after an intended change to the rules
	@$(RUN) pytest tests/test_golden.py --rewrite-golden $(ARGS)

pictures: tools  ## update the reference pictures of screens and charts after an intended change
	@$(RUN) pytest -q tests/test_pictures.py tests/test_charts.py --rewrite-pictures $(ARGS)

screenshots: tools  ## render every screen into docs/screens/
	@$(RUN) tests.screenshots

faults: tools  ## mutation tests: plant known bugs in a copy, one by one, and check that the tests find each one (ARGS="rules hotspot" for only these groups)
	@$(RUN) tests.faults $(ARGS)

picture: installed  ## play a few turns and draw them into docs/terminal.svg
	@.venv/bin/python docs/picture.py

wiring: installed  ## draw the wiring of the e-dice and the buttons, and the tray, into docs/
	@.venv/bin/python docs/wiring.py

wheel: tools  ## build the wheel into dist/
	@$(RUN) hatchling build -t wheel

clean:  ## remove everything that was built here
	@rm -rf .venv .venv.lock .venv-* dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find table vision firmware tests -name __pycache__ -prune -exec rm -rf {} +

installed:
	@PYTHON="$(PYTHON)" sh .ci/venv .venv play -e .

tools:
	@PYTHON="$(PYTHON)" sh .ci/venv .venv test -e ".[test]"

.PHONY: help play test lint types layers check bench bench-vision bench-records solve train soak arm-check vm-test micropython golden pictures screenshots faults picture wiring wheel clean installed tools
