# Recipes call the steps of `.ci/run`, so that both do the same.

# What CI runs.
ci:
    .ci/run

test:
    .ci/run test

lint:
    .ci/run clippy

fmt:
    .ci/run format

docs:
    .ci/run docs

# Rewrite schema/*.json from the types.
schema:
    .ci/run schema

check-policies:
    .ci/run self-check

deny:
    .ci/run deny

bench:
    .ci/run bench

fuzz:
    .ci/run fuzz

# Ask other shell parsers; minutes to build.
oracles:
    .ci/run oracles

# Build and test the Python package.
python:
    .ci/run python

# The real hosts, all seven: fetches them, and runs them for a quarter of an hour.
e2e:
    E2E_HOSTS=all .ci/run e2e
