"""Feeds mutated ONNX models to the compiler library and looks for crashes.

    onnx_fuzz.py --library build/release/lib/libgensyn-compiler.so --seed 1 --count 10000 --jobs 2 --out found

The seeds of the mutations are ONNX's own tests of operators and the models of this
repository. Model number i of a seed is always the same; --first and --count choose a
range. A worker process opens the library and compiles one model after another; a
signal, an answer that is none, more than --seconds of a processor, and more than
--memory for a small file are findings. Each is made smaller and kept in --out with what
happened in its name. Exit code 1 where there are any. A model that takes too long is
none where the one that it was made of does so as well: compiling Inception for a CPU is
more than ten seconds' work on one core. Such are counted apart.
"""

import argparse
import collections
import ctypes
import glob
import os
import pickle
import random
import resource
import select
import signal
import struct
import sys
import tempfile
import time

import onnx
from onnx_mutate import Mutator

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "lib", "Python"))
import onnx_cases  # noqa: E402

RECIPE = '{"loss":{"kind":"mse"},"optimizer":{"kind":"SGD"}}'


# ---- Requests, in protobuf's encoding (lib/Executable/plan.proto).

def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def text(field, value):
    data = value.encode()
    return varint(field << 3 | 2) + varint(len(data)) + data


# The requested operations; the counts of successful ones show that mutants get that far.
KINDS = ("info", "reference", "cpu", "grad")


def requests(path, number):
    """Kind, method and request for model `number`, the cheap ones more often."""
    yield 0, "info", text(1, path)
    if number % 4 == 0:
        yield 1, "compile", text(1, path) + text(2, "infer") + text(5, "reference")
    if number % 16 == 1:
        yield 2, "compile", text(1, path) + text(2, "infer") + text(5, "cpu:x86-64") + varint(8 << 3) + varint(1)
    if number % 16 == 2:
        yield 3, "compile", text(1, path) + text(2, "grad") + text(3, RECIPE) + text(5, "reference")


def exit_code(response):
    """That of the Error in a response; 0 where it has none."""
    def fields(data):
        at = 0

        def number():
            nonlocal at
            value = shift = 0
            while True:
                byte = data[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value
        while at < len(data):
            tag = number()
            if tag & 7 == 0:
                yield tag >> 3, number()
            elif tag & 7 == 2:
                size = number()
                yield tag >> 3, data[at:at + size]
                at += size
            else:
                return
    for field, error in fields(response):
        if field == 1:
            return dict(fields(error)).get(1, 0)
        return 0
    return 0


# ---- Models.

def seed_models(small):
    """Serialized models in a fixed order."""
    folder = os.path.dirname(onnx.__file__)
    paths = sorted(glob.glob(os.path.join(folder, "backend/test/data/**/*.onnx"), recursive=True))
    paths += sorted(glob.glob(os.path.join(ROOT, "test/Inputs/**/*.onnx"), recursive=True))
    models = []
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        if 0 < len(data) < 100000:
            models.append(data)
    if small:
        return models
    for case in sorted(onnx_cases.load()[0], key=lambda case: case.name):
        if case.model is not None and case.model.ByteSize() < 100000:
            models.append(case.model.SerializeToString(deterministic=True))
    return models


def choose_seed(models, seed, number):
    generator = random.Random("%d:%d" % (seed, number))
    return generator.choice(models), generator


def make_model(models, seed, number):
    data, generator = choose_seed(models, seed, number)
    mutator = Mutator(generator)
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
        mutator.mutate(model, generator.choice([1, 1, 1, 2, 2, 3, 5, 8]))
        data = model.SerializeToString(deterministic=True)
    except Exception:  # one of the files that are not well formed
        pass
    return mutator.change_bytes(data) if generator.random() < 0.04 else data


# ---- Workers.

class Worker:
    """A process that has the library open. Jobs go in as a path and a number; what
    comes out is the method that is being called, then a verdict."""

    def __init__(self, library, memory):
        self.jobs, self.answers = os.pipe(), os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.jobs[1])
            os.close(self.answers[0])
            try:
                self.serve(library, memory)
            finally:
                os._exit(0)
        os.close(self.jobs[0])
        os.close(self.answers[1])
        self.begin()

    def begin(self):
        self.answered = 0
        self.started, self.spent = time.monotonic(), self.processor_seconds()

    def processor_seconds(self):
        """What the worker has used of processors: others may keep them busy."""
        try:
            with open("/proc/%d/stat" % self.pid) as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return 0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def serve(self, library, memory):
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        code = ctypes.CDLL(library)
        code.gensyn_compiler_call.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t,
                                              ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)]
        code.gensyn_compiler_free.argtypes = [ctypes.c_void_p]
        while True:
            job = os.read(self.jobs[0], 4096)
            if not job:
                return
            path, number = pickle.loads(job)
            verdict, answered = "", 0
            for kind, method, request in requests(path, number):
                response, size = ctypes.c_void_p(), ctypes.c_size_t()
                status = code.gensyn_compiler_call(method.encode(), request, len(request),
                                                   ctypes.byref(response), ctypes.byref(size))
                found = exit_code(ctypes.string_at(response, size.value)) if status == 0 else 0
                code.gensyn_compiler_free(response)
                if status:
                    verdict = "STATUS%d" % status
                elif found == 70:
                    verdict = "EXIT70"
                if verdict or found:
                    break
                answered |= 1 << kind
            os.write(self.answers[1], bytes([answered]) + verdict.encode().ljust(15))

    def give(self, path, number):
        try:
            os.write(self.jobs[1], pickle.dumps((path, number)))
        except BrokenPipeError:
            pass  # it has ended, and the verdict says how
        self.begin()

    def verdict(self, seconds):
        """What happened, "" where nothing; None where it still goes on."""
        ready, _, _ = select.select([self.answers[0]], [], [], 0.5)
        if not ready:
            # A process that blocks uses no processor time.
            if (self.processor_seconds() - self.spent < seconds
                    and time.monotonic() - self.started < 10 * seconds):
                return None
            self.end()
            return "HANG"
        answer = os.read(self.answers[0], 16)
        if len(answer) == 16:
            self.answered = answer[0]
            return answer[1:].decode().strip()
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        self.end()
        return "SIGNAL%d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else "EXIT%d" % os.WEXITSTATUS(status)

    def end(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = 0
        for end in (self.jobs[1], self.answers[0]):
            try:
                os.close(end)
            except OSError:
                pass


class Runner:
    def __init__(self, options, folder):
        self.options, self.worker = options, None
        self.path = os.path.join(folder, "model.onnx")

    def run(self, data, number):
        with open(self.path, "wb") as file:
            file.write(data)
        if self.worker is None or not self.worker.pid:
            self.worker = Worker(self.options.library, self.options.memory << 20)
        self.worker.give(self.path, number)
        while (verdict := self.worker.verdict(self.options.seconds)) is None:
            pass
        return verdict

    def close(self):
        if self.worker is not None:
            self.worker.end()


# ---- Findings.

def smaller(model):
    """Models with one part less."""
    def without(select):
        count = len(select(model))
        for size in (count, count // 2, count // 4, 1):
            for first in range(0, count, size) if size else ():
                other = onnx.ModelProto()
                other.CopyFrom(model)
                del select(other)[first:first + size]
                yield other
    parts = [lambda m: m.graph.node, lambda m: m.functions, lambda m: m.graph.value_info,
             lambda m: m.graph.output, lambda m: m.graph.initializer, lambda m: m.graph.input,
             lambda m: m.metadata_props, lambda m: m.training_info]
    for select in parts:
        yield from without(select)
    for i in range(len(model.graph.node)):
        yield from without(lambda m, i=i: m.graph.node[i].attribute)
        yield from without(lambda m, i=i: m.graph.node[i].input)
        yield from without(lambda m, i=i: m.graph.node[i].output)


def shrink(runner, data, number, verdict, tries=400):
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except Exception:
        return data
    progress = True
    while progress and tries > 0:
        progress = False
        for other in smaller(model):
            tries -= 1
            if tries <= 0:
                break
            if runner.run(other.SerializeToString(), number) == verdict:
                model, progress = other, True
                break
    best = model.SerializeToString()
    return best if runner.run(best, number) == verdict else data


SLOW_SEED = "slow seed"


def work(options, models, job, report):
    """Every jobs-th number of the range."""
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, folder)
        for number in range(options.first + job, options.first + options.count, options.jobs):
            data = make_model(models, options.seed, number)
            verdict = runner.run(data, number)
            answered = runner.worker.answered
            if verdict:
                verdict = runner.run(data, number)  # of a process that has done nothing else
            if verdict == "HANG" and runner.run(choose_seed(models, options.seed, number)[0], number) == "HANG":
                verdict = SLOW_SEED
            if verdict and verdict != SLOW_SEED and options.out:
                if verdict != "HANG":
                    data = shrink(runner, data, number, verdict)
                name = "%d_%06d_%s.onnx" % (options.seed, number, verdict)
                with open(os.path.join(options.out, name), "wb") as file:
                    file.write(data)
            os.write(report, struct.pack("<q16sB", number, verdict.encode(), answered))
        runner.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10, help="of a processor, for one model")
    parser.add_argument("--memory", type=int, default=2048, help="MiB that a worker may allocate; 0: no limit, for sanitizers")
    parser.add_argument("--small", action="store_true", help="seeds from files only, which is quick")
    parser.add_argument("--out", "--crashes", dest="out", help="folder for what is found")
    parser.add_argument("--write", metavar="NUMBER", type=int, help="write that model to stdout and stop")
    options = parser.parse_args()
    models = seed_models(options.small)
    if options.write is not None:
        sys.stdout.buffer.write(make_model(models, options.seed, options.write))
        return 0
    if options.out:
        os.makedirs(options.out, exist_ok=True)
    report, write = os.pipe()
    children = []
    for job in range(options.jobs):
        child = os.fork()
        if child == 0:
            os.close(report)
            try:
                work(options, models, job, write)
            finally:
                os._exit(0)
        children.append(child)
    os.close(write)
    found, compiled, done, slow, began = collections.Counter(), [0] * len(KINDS), 0, 0, time.monotonic()
    while message := os.read(report, 25):
        number, verdict, answered = struct.unpack("<q16sB", message)
        compiled = [count + (answered >> kind & 1) for kind, count in enumerate(compiled)]
        done += 1
        verdict = verdict.rstrip(b"\0").decode()
        slow += verdict == SLOW_SEED
        if verdict and verdict != SLOW_SEED:
            found[verdict] += 1
            print("model %d of seed %d: %s" % (number, options.seed, verdict), flush=True)
        if done % 1000 == 0:
            print("%d models, %d a minute, %d findings" % (
                done, 60 * done / (time.monotonic() - began), sum(found.values())), flush=True)
    for child in children:
        os.waitpid(child, 0)
    print("%d models, %d findings %s" % (done, sum(found.values()), dict(found) if found else ""))
    print("without an error: " + ", ".join("%s %d" % pair for pair in zip(KINDS, compiled)))
    if slow:
        print("%d models as slow as those that they were made of" % slow)
    return 1 if found or done != options.count else 0


if __name__ == "__main__":
    sys.exit(main())
