"""Threads, child processes and memory."""

import multiprocessing
import os
import signal
import threading
import time

import gensyn
import models
import numpy
import pytest


@pytest.fixture
def linear(tmp_path):
    return models.linear(tmp_path / "m.onnx")


def test_eight_threads_share_a_program(linear):
    program = gensyn.compile(linear, specializations=2)
    inputs = [numpy.random.default_rng(n).random((n, 3), "float32") for n in range(1, 5)]
    wanted = [program(x)[0].tobytes() for x in inputs]
    wrong = []

    def work(first):
        for i in range(40):
            n = (first + i) % 4
            if program(inputs[n])[0].tobytes() != wanted[n]:
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and program._core.count_programs() == 2


def test_the_compiler_outlives_the_thread_that_started_it(linear):
    programs = []
    first = threading.Thread(target=lambda: programs.append(gensyn.compile(linear, cache="")))
    first.start()
    first.join()
    assert programs[0](numpy.zeros((2, 3), "float32"))[0].shape == (2, 4)


def test_other_threads_run_meanwhile(tmp_path):
    program = gensyn.compile(models.total(tmp_path / "m.onnx"), backend="reference")
    x = numpy.ones(1 << 20, "float32")
    program(x)
    counted = 0
    thread = threading.Thread(target=program, args=(x,))
    start = time.perf_counter()
    thread.start()
    while thread.is_alive():
        counted += 1
        time.sleep(0.001)
    seconds = time.perf_counter() - start
    # With the GIL held there would be one turn before the run and one after it.
    assert counted > min(5, seconds / 0.01)


def in_child(linear, x, wanted):
    program = gensyn.compile(linear)
    assert program(x)[0].tobytes() == wanted


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_child_process(linear, method):
    program = gensyn.compile(linear)
    x = numpy.ones((3, 3), "float32")
    wanted = program(x)[0].tobytes()
    child = multiprocessing.get_context(method).Process(target=in_child, args=(linear, x, wanted))
    child.start()
    child.join(60)
    assert child.exitcode == 0


def test_a_program_goes_on_in_a_forked_child(linear):
    program = gensyn.compile(linear, threads=2)
    x = numpy.ones((3, 3), "float32")
    wanted = program(x)[0].tobytes()
    large, done = numpy.ones((1 << 20, 3), "float32"), threading.Event()
    program(large)

    def hold():  # so that a run is in progress, and holds its lock, when the process forks
        while not done.is_set():
            program(large)

    thread = threading.Thread(target=hold)
    thread.start()
    time.sleep(0.05)
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        good = program(x)[0].tobytes() == wanted and program(x[:2])[0].shape == (2, 4)
        os._exit(0 if good else 1)
    status = os.waitpid(pid, 0)[1]
    done.set()
    thread.join()
    assert status == 0
    # The child did not end the compiler of this process.
    assert program(numpy.ones((7, 3), "float32"))[0].shape == (7, 4)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_memory_stays_as_it_is(linear):
    program = gensyn.compile(linear)
    x, wrong = numpy.ones((64, 3), "float32"), numpy.ones((64, 4), "float32")

    def rounds(count):
        for _ in range(count):
            program(x)
            program(x[::2].astype("float64"))
            with pytest.raises(gensyn.BadInputError):
                program(wrong)

    rounds(300)
    before = resident()
    rounds(3000)
    assert resident() - before < 1 << 20
