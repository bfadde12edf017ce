# make demo: see it work. make test: set up and run the tests. Both need only Python >= 3.10 and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed

.PHONY: demo test lint bench range crash clean

demo: $(STAMP) ## Ingest a bundled report and print where its GPU idled
	@rm -f demo.duckdb
	@$(BIN)/nsysql ingest --db demo.duckdb fixtures/train_bad.sqlite fixtures/train_good.sqlite
	@echo
	@echo '$$ nsysql query gaps --report train_bad --limit 8'
	@$(BIN)/nsysql query gaps --db demo.duckdb --report train_bad --limit 8 --format table
	@echo
	@cat docs/after-the-demo.txt

test: $(STAMP) ## Run the tests
	$(BIN)/pytest

lint: $(STAMP) ## Lint and type check
	$(BIN)/ruff check nsysql tests bench
	$(BIN)/ruff format --check nsysql tests bench
	$(BIN)/mypy

bench: $(STAMP) ## Measure against the limits in bench/
	$(BIN)/python bench/run.py

range: $(STAMP) ## Install and use the wheel and the sdist with the lowest and the highest of everything
	@bash .ci/range

crash: $(STAMP) ## Kill, starve and crowd ingests, and see that nothing is lost
	$(BIN)/python bench/crash.py

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(VENV)/lowest duckdb==1.4.4
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(VENV)/between 'duckdb==1.5.*'
	@touch $(STAMP)

clean: ## Remove what make made
	rm -rf $(VENV) demo.duckdb dist
