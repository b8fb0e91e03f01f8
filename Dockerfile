# The README's commands in a container: building it runs the pipeline, starting it runs all checks.
#   docker build --tag flop-ledger .
#   docker run --rm flop-ledger                                  # make test
#   docker run --rm flop-ledger .venv/bin/flopledger show gpt-3
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b

RUN apt-get update \
    && apt-get install --yes --no-install-recommends git make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /ledger
COPY . .
RUN make repro
CMD ["make", "test"]
