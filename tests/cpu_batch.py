"""Runs many kernel scripts in one process of the launcher, each as `__main__`: [[script, argument...], ...] on stdin.

Prints a JSON list: "" for a script that ended well, else what it said.
"""

from __future__ import annotations

import contextlib
import io
import json
import runpy
import sys
import traceback


def run(words: list[str]) -> str:
    said = io.StringIO()
    sys.argv = words
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as stop:
        return "" if stop.code in (None, 0) else f"exit {stop.code}\n{said.getvalue()}"
    except BaseException:
        return traceback.format_exc()
    return ""


if __name__ == "__main__":
    results = [run(words) for words in json.load(sys.stdin)]
    json.dump(results, sys.stdout)
