# `make` alone lists the targets.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
export UV_COMPILE_BYTECODE = 1
export UV_PYTHON_DOWNLOADS = never
export DVC_NO_ANALYTICS = 1

.DEFAULT_GOAL := help
.PHONY: help install repro test other-python check format benchmarks plots accuracy fit-uncertainty audit audit-test measure measure-test spark-test site site-test clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

# uv of uv.lock with all its hashes, as pip takes them.
UV_BY_HASH = sed -n '/^name = "uv"$$/,/^$$/p' uv.lock | sed -n 's/^version = "\(.*\)"/uv==\1/p; s/.*\(sha256:[0-9a-f]*\).*/ --hash=\1/p' | tr -d '\n'
# The first of two steps: packages as their authors built them. What is published as source alone is built in the second, with tools of the first.
BUILT_ELSEWHERE = --inexact --no-build --no-install-project $(shell sed -n 's/^no-build-isolation-package = \[\(.*\)\]/\1/p' pyproject.toml | tr -d '",' | xargs -n 1 echo --no-install-package)

# Before anything of a checkout runs: git must not have brought what DVC or Python would trust, nor links among the records.
.PHONY: trusted
trusted:
	@! git ls-files -- .dvc/tmp .dvc/cache .dvc/config.local .venv .venv-audit .venv-spark data/tables 2>/dev/null | sed 's/$$/: git has it, and what runs here would trust it; git rm --cached it/' | grep . >&2
	@! find data/records ! -type f ! -type d | sed 's/$$/: is no regular file, as all records are/' | grep . >&2

install: trusted .venv/installed schemas/editor/models.schema.json  ## install everything from uv.lock into .venv

# By which an editor completes records; all kinds are written at once.
schemas/editor/models.schema.json: .venv/installed $(wildcard schemas/*.py pipeline/architectures/families/*.py) pipeline/records/drafts.py
	.venv/bin/python -m pipeline.records.drafts
	@touch $@

.venv/installed: pyproject.toml uv.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed" >&2; exit 1; }
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	test -x .venv/bin/uv || { $(UV_BY_HASH) > .venv/uv.txt && .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement .venv/uv.txt; }
	.venv/bin/uv sync --locked --quiet --extra pipeline $(BUILT_ELSEWHERE)
	.venv/bin/uv sync --locked --quiet --extra pipeline
	@touch $@

repro: install  ## run the pipeline: records in, data/published out
	.venv/bin/python -m pipeline.recover
	.venv/bin/dvc repro
	@.venv/bin/flopledger query "select 1" > /dev/null  # makes ledger.duckdb again where it is missing: it is no output of DVC's
	@echo "data/published holds $$(($$(wc -l < data/published/estimates.csv) - 1)) models: estimates.csv, estimates.parquet, ledger.duckdb"

.PHONY: style
style: install
	.venv/bin/ruff format --check pipeline schemas tests
	.venv/bin/ruff check pipeline schemas tests
	.venv/bin/mypy

check: style  ## the quick checks while working: format, lint, types, records, tests of formulas and schemas
	.venv/bin/flopledger validate data/records
	.venv/bin/python -m pytest tests/formulas tests/schemas pipeline/formulas schemas

test: style  ## run all checks: format, lint, types, tests
	@# The verbs that read the ledger are tested on it.
	@test -d data/tables -a -f data/published/ledger.duckdb || $(MAKE) --no-print-directory repro
	@# What a file's tests build once, one process builds.
	.venv/bin/python -m pytest -n 2 --dist loadfile

.PHONY: hostile
hostile: install  ## run every test case that is written to harm, of which `make test` runs a tenth
	.venv/bin/python -m pytest -n 2 --hostile -m hostile

# Another Python than that of .venv, the newest that this machine has and we support; pyenv's are found though they are not switched on.
PYENV = $(or $(PYENV_ROOT),$(shell command -v pyenv | sed 's,/[^/]*/pyenv$$,,'),$(HOME)/.pyenv)
OTHER ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 $$(ls -d $(PYENV)/versions/3.1[1-4].*/bin/python3 2>/dev/null | sort -Vr); do $$p -c 'import sys; sys.exit(f"{sys.version_info[0]}.{sys.version_info[1]}" in open(".venv/pyvenv.cfg").read())' 2>/dev/null && echo $$p && break; done)

other-python: install  ## install everything for another Python too, for the test that it makes the same bytes; OTHER=python3.13
	@test -n "$(OTHER)" || { echo "there is no other Python here; OTHER=/path/to/python3.13 names one" >&2; exit 1; }
	UV_PROJECT_ENVIRONMENT=.venv-other .venv/bin/uv sync --locked --quiet --extra pipeline $(BUILT_ELSEWHERE) --python "$$($(OTHER) -c 'import sys; print(sys.executable)')"
	UV_PROJECT_ENVIRONMENT=.venv-other .venv/bin/uv sync --locked --quiet --extra pipeline --python "$$($(OTHER) -c 'import sys; print(sys.executable)')"

format: install  ## put the code into its one format
	.venv/bin/ruff format pipeline schemas tests
	.venv/bin/ruff check --fix pipeline schemas tests

.PHONY: dvc.yaml
dvc.yaml: install  ## write dvc.yaml again from the stages' signatures and imports
	.venv/bin/python -m pipeline.dvc_file > dvc.yaml.new && mv dvc.yaml.new dvc.yaml

benchmarks: install  ## measure speed, as ratios side by side, and the size of installations
	.venv/bin/python -m tests.benchmarks.speed
	@test -f data/published/ledger.duckdb || $(MAKE) --no-print-directory repro
	.venv/bin/python -m tests.benchmarks.install

plots: install  ## draw DVC's plots into dvc_plots/index.html, which opens offline
	mkdir -p dvc_plots
	.venv/bin/python -c 'import vl_convert; print(vl_convert.javascript_bundle())' > dvc_plots/vega.js
	.venv/bin/dvc plots show --html-template .dvc/plots/offline.html

accuracy: install  ## set our estimates beside Epoch's values, where its snapshots are there
	.venv/bin/python -m tests.benchmarks.catalogue_accuracy

.PHONY: draft-accuracy
draft-accuracy: install  ## score `draft` on papers in a folder (DRAFT="folder", with html/, pdf/ and tex/ inside), by kind, domain and form
	.venv/bin/python -m pipeline.drafting.accuracy $(DRAFT)

fit-uncertainty: install  ## fit how well inputs are known to data/tables, beside the stored values
	.venv/bin/python -m pipeline.fitting

audit: .venv-audit/installed  ## set the public FLOP counters beside a count by hand, in a venv of their own
	.venv-audit/bin/python -m pipeline.measure.audit

audit-test: .venv-audit/installed  ## compare counts of transformers' own networks with torch's counter, there
	.venv-audit/bin/python -m pytest tests/architectures/test_against_torch.py

measure: .venv-audit/installed  ## time networks on this machine, in that venv; MEASURE="--quick --out folder" gives options
	.venv-audit/bin/python -m pipeline.measure.harness $(MEASURE)

measure-test: .venv-audit/installed  ## compare the timed networks with torch's counter and published parameters, there
	.venv-audit/bin/python -m pytest tests/measure/*/torch_*.py

.venv-audit/installed: pyproject.toml uv.lock .venv/installed
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed" >&2; exit 1; }
	test -x .venv-audit/bin/python || $(PYTHON) -m venv .venv-audit
	@# torch comes with the first step: DeepSpeed's build asks for it.
	UV_PROJECT_ENVIRONMENT=.venv-audit .venv/bin/uv sync --locked --quiet --extra pipeline --extra audit $(BUILT_ELSEWHERE)
	UV_PROJECT_ENVIRONMENT=.venv-audit .venv/bin/uv sync --locked --quiet --extra pipeline --extra audit
	@touch $@

spark-test: .venv-spark/installed  ## run the stages on Spark, in a venv of its own, and compare with DuckDB; needs a Java runtime
	@test -d data/tables || $(MAKE) --no-print-directory repro
	.venv-spark/bin/python -m pytest tests/spark_bulk.py

.venv-spark/installed: pyproject.toml uv.lock .venv/installed
	test -x .venv-spark/bin/python || $(PYTHON) -m venv .venv-spark
	@# One test runs there: to compile every module takes longer than to import those that it needs.
	env -u UV_COMPILE_BYTECODE UV_PROJECT_ENVIRONMENT=.venv-spark .venv/bin/uv sync --locked --quiet --no-compile-bytecode --extra pipeline --extra spark $(BUILT_ELSEWHERE)
	env -u UV_COMPILE_BYTECODE UV_PROJECT_ENVIRONMENT=.venv-spark .venv/bin/uv sync --locked --quiet --no-compile-bytecode --extra pipeline --extra spark
	@touch $@

.PHONY: requirements
requirements: install  ## write every dependency with its hashes to requirements.txt, for pip-audit and the like
	.venv/bin/uv export --locked --quiet --all-extras --all-groups --no-emit-project --format requirements-txt --output-file requirements.txt

.venv/installed-for-site: .venv/installed
	.venv/bin/uv sync --locked --quiet --extra pipeline --group site
	@touch $@

site: .venv/installed-for-site  ## build the public site into site/; SITE="--address https://… --repository https://…" says where it will stand
	@test -f data/published/ledger.duckdb || $(MAKE) --no-print-directory repro
	.venv/bin/python -m pipeline.site $(SITE)

site-test: site  ## test the built site in Chromium, from disk and over HTTP
	.venv/bin/python -m pytest tests/site/browser_*.py

.PHONY: wheel
wheel: install  ## build an installable package with the ledger inside, into dist
	@test -f data/published/ledger.duckdb || $(MAKE) --no-print-directory repro
	.venv/bin/python -m pipeline.packaging dist

clean:  ## remove what can be made again
	rm -rf .venv .venv-audit .venv-other .venv-spark .npm-packages dist dvc_plots schemas/editor site data/tables data/published/*.parquet data/published/*.duckdb .dvc/cache .dvc/tmp
