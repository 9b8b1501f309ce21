"""Cores that wait for each other: a thread each, of which exactly one runs at any time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from opgen.dialect.machine import Abandon

Runner = TypeVar("Runner")


class Stopped(BaseException):
    """Another core failed: this one ends too."""


class Turns(Generic[Runner]):
    """Lets a group of cores run by turns. A core that has to wait hands on to the next one. switch: says which core
    runs from now on."""

    def __init__(self, cores: list[Runner], body: Callable[[Runner], None], switch: Callable[[Runner], None]) -> None:
        self.cores = cores
        self.body = body
        self.switch = switch
        self.gates = [threading.Semaphore(0) for _ in cores]
        self.done = [False] * len(cores)
        self.turn = 0
        self.stalled = 0
        self.error: BaseException | None = None
        self.finished = threading.Event()

    def run(self) -> None:
        """Returns when all cores are done; raises what one of them raised."""
        threads = [threading.Thread(target=self._thread, args=(i,), daemon=True) for i in range(len(self.cores))]
        for thread in threads:
            thread.start()
        self.gates[0].release()
        self.finished.wait()
        for thread in threads:
            thread.join()
        if self.error is not None:
            raise self.error

    def wait(self, ready: Callable[[], bool]) -> bool:
        """Lets the others run until `ready`. False: nobody can go on, the hardware would hang."""
        me = self.turn
        core = self.cores[me]
        while not ready():
            self.stalled += 1
            if self.stalled > 2 * len(self.cores):
                self.stalled = 0
                return False
            if not self._pass(me):
                return False
            self.switch(core)
        self.stalled = 0
        return True

    def moved(self) -> None:
        """Something happened that others may wait for."""
        self.stalled = 0

    def _pass(self, me: int) -> bool:
        """Hands on, and returns when it is this core's turn again. False: all others are done."""
        following = self._next(me)
        if following is None:
            return False
        self.turn = following
        self.gates[following].release()
        self.gates[me].acquire()
        if self.error is not None:
            raise Stopped
        return True

    def _next(self, me: int) -> int | None:
        for step in range(1, len(self.cores)):
            other = (me + step) % len(self.cores)
            if not self.done[other]:
                return other
        return None

    def _thread(self, me: int) -> None:
        self.gates[me].acquire()
        try:
            if self.error is None:
                self.switch(self.cores[me])
                self.body(self.cores[me])
        except (Abandon, Stopped):
            pass
        except BaseException as error:
            self.error = self.error or error
        self.done[me] = True
        self.stalled = 0
        following = self._next(me)
        if following is None:
            self.finished.set()
        else:
            self.turn = following
            self.gates[following].release()
