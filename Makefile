# `make` alone lists the targets.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
export UV_COMPILE_BYTECODE = 1
export UV_PYTHON_DOWNLOADS = never
export DVC_NO_ANALYTICS = 1

.DEFAULT_GOAL := help
.PHONY: help install repro update test other-python check format benchmarks plots accuracy torch-test measure spark-test site site-test clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

# uv's version and hashes from uv.lock, in pip's format.
UV_BY_HASH = sed -n '/^name = "uv"$$/,/^$$/p' uv.lock | sed -n 's/^version = "\(.*\)"/uv==\1/p; s/.*\(sha256:[0-9a-f]*\).*/ --hash=\1/p' | tr -d '\n'
# Installation has two steps: first prebuilt packages, then packages published only as source, whose build needs tools
# from the first step.
BUILT_ELSEWHERE = --inexact --no-build --no-install-project $(shell sed -n 's/^no-build-isolation-package = \[\(.*\)\]/\1/p' pyproject.toml | tr -d '",' | xargs -n 1 echo --no-install-package)

.PHONY: trusted
trusted:  # runs before any other code of the checkout
	@$(PYTHON) -I pipeline/base/untrusted_files.py

install: trusted .venv/installed schemas/editor/models.schema.json  ## install everything from uv.lock into .venv

# Schemas that let editors complete records; one run writes the schemas of all kinds.
schemas/editor/models.schema.json: .venv/installed $(wildcard schemas/*.py schemas/records/*.py pipeline/architectures/families/*.py pipeline/records/templates/*.yaml) pipeline/records/drafts.py
	@.venv/bin/python -m pipeline.records.drafts
	@touch $@

.venv/installed: pyproject.toml uv.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed" >&2; exit 1; }
	@echo "install: the packages of uv.lock, into .venv"
	@test -x .venv/bin/python || $(PYTHON) -m venv .venv
	@test -x .venv/bin/uv || { $(UV_BY_HASH) > .venv/uv.txt && .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement .venv/uv.txt; }
	@.venv/bin/uv sync --locked --quiet --extra pipeline $(BUILT_ELSEWHERE)
	@.venv/bin/uv sync --locked --quiet --extra pipeline
	@touch $@

# Succeeds if the database is unchanged and was made from the current records, parameters and code.
IS_PRESENT = .venv/bin/python -m pipeline.publishing.fingerprint

repro: install  ## run the pipeline: records in, data/published out
	@.venv/bin/python -m pipeline.stages.recover
	@# Stages and DVC's errors print to stderr. DVC's stdout repeats commands and suggests a push, but there is no remote.
	@.venv/bin/dvc repro > /dev/null
	@# DuckDB's bytes differ from run to run, so DVC has no checksum of the database. If only the database is outdated, make it here.
	@rm -f data/published/ledger.duckdb.wal
	@$(IS_PRESENT) || .venv/bin/python -m pipeline publish
	@echo "data/published holds $$(($$(wc -l < data/published/estimates.csv) - 1)) models; open data/published/estimates.csv, or run"
	@echo "  .venv/bin/flopledger show gpt-4    # the number of one model, and what it rests on"
	@echo "  make site                          # every model and report as pages: site/index.html"

.PHONY: style
style: install
	.venv/bin/ruff format --check pipeline schemas tests
	.venv/bin/ruff check pipeline schemas tests
	.venv/bin/mypy

check: style  ## run the quick checks, enough for a record: format, lint, types, records, tests of formulas and schemas
	.venv/bin/flopledger validate data/records
	.venv/bin/python -m pipeline.tools.sealing
	.venv/bin/python -m pytest tests/formulas tests/schemas pipeline/formulas schemas
	@echo "these checks are enough for records: commit the records with the files that make repro changes"

test: style tests  ## run all checks: format, lint, types, tests

.PHONY: tests
tests: install
	@# Tests of commands read the published ledger.
	@test -d data/tables && $(IS_PRESENT) || $(MAKE) --no-print-directory repro
	.venv/bin/python -m pytest -n 2 --dist worksteal

.PHONY: hostile
hostile: install  ## plant slips in records drawn by seed, show which `validate` refuses (SEEDS="1 2"), and move each threshold
	.venv/bin/python -m tests.benchmarks.mutants $(SEEDS)
	.venv/bin/python -m tests.benchmarks.thresholds

# The newest supported Python on this machine other than that of .venv, including inactive versions of pyenv.
PYENV = $(or $(PYENV_ROOT),$(shell command -v pyenv | sed 's,/[^/]*/pyenv$$,,'),$(HOME)/.pyenv)
OTHER ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 $$(ls -d $(PYENV)/versions/3.1[1-4].*/bin/python3 2>/dev/null | sort -Vr); do $$p -c 'import sys; sys.exit(f"{sys.version_info[0]}.{sys.version_info[1]}" in open(".venv/pyvenv.cfg").read())' 2>/dev/null && echo $$p && break; done)

other-python: install  ## install everything for a second Python, to test that it makes the same bytes; OTHER=python3.13
	@test -n "$(OTHER)" || { echo "no other Python found; name one with OTHER=/path/to/python3.13" >&2; exit 1; }
	UV_PROJECT_ENVIRONMENT=.venv-other .venv/bin/uv sync --locked --quiet --extra pipeline $(BUILT_ELSEWHERE) --python "$$($(OTHER) -c 'import sys; print(sys.executable)')"
	UV_PROJECT_ENVIRONMENT=.venv-other .venv/bin/uv sync --locked --quiet --extra pipeline --python "$$($(OTHER) -c 'import sys; print(sys.executable)')"

format: install  ## format the code and apply lint fixes
	.venv/bin/ruff format pipeline schemas tests
	.venv/bin/ruff check --fix pipeline schemas tests

benchmarks: install  ## measure the processor time of commands, and the size of installations
	.venv/bin/python -m tests.benchmarks.speed
	@$(IS_PRESENT) || $(MAKE) --no-print-directory repro
	.venv/bin/python -m tests.benchmarks.install

plots: install  ## draw DVC's plots into dvc_plots/index.html, which opens offline
	mkdir -p dvc_plots
	.venv/bin/python -c 'import vl_convert; print(vl_convert.javascript_bundle())' > dvc_plots/vega.js
	.venv/bin/dvc plots show --html-template .dvc/plots/offline.html

.PHONY: seal
seal: install  ## append the present estimates of blind records to data/records/sealed.csv: MODELS="id id"
	@.venv/bin/python -m pipeline.tools.sealing $(MODELS)

update: install  ## read watched sources again, rebuild, and list what there is to do; FLAGS="--check"
	@.venv/bin/flopledger update $(FLAGS)

accuracy: install  ## compare our estimates with Epoch's values; the report is written if Epoch's tables of 2025 and 2026 are present
	.venv/bin/python -m tests.benchmarks.catalogue_accuracy

torch-test: .venv-torch/installed  ## compare counts with transformers' networks and torch's counter, for one type in ten (ALL_TYPES=1 takes all), and time a small one
	ALL_TYPES=$(ALL_TYPES) .venv-torch/bin/python -m pytest tests/architectures/torch_*.py tests/tools/torch_*.py

measure: .venv-torch/installed  ## time networks on this machine, in a venv with torch; MEASURE="--quick --out folder" gives options
	.venv-torch/bin/python -m pipeline.tools.measure $(MEASURE)

.venv-torch/installed: pyproject.toml uv.lock .venv/installed
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed" >&2; exit 1; }
	test -x .venv-torch/bin/python || $(PYTHON) -m venv .venv-torch
	UV_PROJECT_ENVIRONMENT=.venv-torch .venv/bin/uv sync --locked --quiet --extra pipeline --extra torch $(BUILT_ELSEWHERE)
	UV_PROJECT_ENVIRONMENT=.venv-torch .venv/bin/uv sync --locked --quiet --extra pipeline --extra torch
	@touch $@

spark-test: .venv-spark/installed  ## run the rules on Spark, in a separate venv, and compare with DuckDB; needs a Java runtime
	@test -d data/tables || $(MAKE) --no-print-directory repro
	@# The shared fixtures import packages that this venv lacks.
	.venv-spark/bin/python -m pytest --noconftest tests/engines/spark_relations.py

.venv-spark/installed: pyproject.toml uv.lock .venv/installed
	test -x .venv-spark/bin/python || $(PYTHON) -m venv .venv-spark
	@# Only one test runs there: compiling every module takes longer than importing the few that it needs.
	env -u UV_COMPILE_BYTECODE UV_PROJECT_ENVIRONMENT=.venv-spark .venv/bin/uv sync --locked --quiet --no-compile-bytecode --extra spark --no-dev --group spark-test $(BUILT_ELSEWHERE)
	env -u UV_COMPILE_BYTECODE UV_PROJECT_ENVIRONMENT=.venv-spark .venv/bin/uv sync --locked --quiet --no-compile-bytecode --extra spark --no-dev --group spark-test
	@touch $@

.PHONY: requirements
requirements: install  ## write every dependency with its hashes to requirements.txt, for pip-audit and the like
	.venv/bin/uv export --locked --quiet --all-extras --all-groups --no-emit-project --format requirements-txt --output-file requirements.txt

.venv/installed-for-site: .venv/installed
	.venv/bin/uv sync --locked --quiet --extra pipeline --group site
	@touch $@

site: .venv/installed-for-site  ## build the public site into site/; SITE="--address https://… --repository https://…" gives its addresses
	@$(IS_PRESENT) || $(MAKE) --no-print-directory repro
	.venv/bin/python -m pipeline.site $(SITE)
	@echo "open site/index.html; or run python3 -m http.server -d site, and open http://localhost:8000"

site-test: site  ## build the site and test it in Chromium, from disk and over HTTP; EVERY_PAGE=1 opens every page
	@$(MAKE) --no-print-directory site-tests

.PHONY: site-tests
site-tests: .venv/installed-for-site
	.venv/bin/python -m pytest -n 2 --dist worksteal tests/site/browser_*.py

.PHONY: wheel
wheel: install  ## build a wheel that contains the ledger, into dist
	@$(IS_PRESENT) || $(MAKE) --no-print-directory repro
	.venv/bin/python -m pipeline.tools.packaging dist

.PHONY: version release release-test
version: install  ## prepare the release VERSION=2026-12-01 (2026-12-01.2 for a second on that day): its version in every file, its values kept, its numbers and picture in the README
	.venv/bin/python -m pipeline.tools.packaging.release "$(VERSION)"
	@$(MAKE) --no-print-directory repro
	.venv/bin/python -m pipeline.publishing.changes
	@$(MAKE) --no-print-directory repro
	.venv/bin/python -m tests.structure.test_numbers
	.venv/bin/flopledger plot --out .github/compute.svg

release: test site wheel  ## check that this checkout is the release VERSION=2026-12-01, and write its files into dist (.github/RELEASING.md)
	.venv/bin/python -m pipeline.tools.packaging.release "$(VERSION)" "dist/$(VERSION)"

release-test: install  ## rehearse a release in a clone with a tag, and install its wheel with each extra in an empty environment
	.venv/bin/python -m pytest tests/tools/packaging/rehearsal.py

clean:  ## remove everything that can be made again
	rm -rf .venv .venv-torch .venv-other .venv-spark .npm-packages dist dvc_plots schemas/editor site gx data/tables data/published/*.parquet data/published/ledger.* .dvc/cache .dvc/tmp
