# Everything here runs in the virtual environment that run.py makes.
PY ?= python3

.PHONY: play test check format
play:
	@$(PY) run.py play
test:
	@$(PY) run.py test
check:
	@$(PY) run.py check
format:
	@$(PY) run.py format
