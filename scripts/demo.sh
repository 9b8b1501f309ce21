#!/usr/bin/env bash
# The main job, as a user does it: a new offline project, checked, built and run, in a temporary folder.
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
PATH="${ROOT}/.venv/bin:${PATH}"
FOLDER="$(mktemp -d)"
trap 'rm -rf "${FOLDER}"' EXIT
cd "${FOLDER}"

run() {
  echo "\$ $*"
  "$@"
}

run opgen new add_custom --scenario offline
run opgen check add_custom
run opgen run add_custom
