#!/usr/bin/env bash
# Makes sure that a program is there; installs it where that takes no question (root on Debian or Ubuntu).
set -euo pipefail

for program in "$@"; do
  command -v "${program}" >/dev/null && continue
  if [[ "$(id -u)" == 0 ]] && command -v apt-get >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${program}"
  else
    echo "${program} was not found on PATH: install it with the package manager of this machine." >&2
    exit 1
  fi
done
