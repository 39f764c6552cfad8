"""Disputes over the network between servers on free ports of this machine: serve.py FOLDER.

FOLDER has the runs `run` and `cheat`, and data.safetensors. Prints what each dispute says, and its exit code. Nothing
that it starts is left."""

import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from pathlib import Path

from limits import seconds

folder = Path(sys.argv[1])
DATA = ["--data", folder / "data.safetensors"]
# Of an honest server that has to answer in time, also on a busy machine.
PATIENCE = ["--patience", str(int(seconds(10)))]
started = []


def serve(run, *options):
    """Starts a server. Returns its process and its address."""
    process = subprocess.Popen(["gensyn-verify", "serve", folder / run, *DATA, *options],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    started.append(process)
    line = process.stdout.readline()
    found = re.search(r"127\.0\.0\.1:\d+", line)
    if not found:
        sys.exit(f"serve {run}: {line}{process.stderr.read()}")
    return process, found[0]


def lie(name, step):
    """Starts a server that lies about a step of the run. Returns its address."""
    process = subprocess.Popen(["gensyn-cheats", folder / "run", *DATA, "--serve", "--cheat", name, "--step", str(step)],
                               stdout=subprocess.PIPE, text=True)
    started.append(process)
    return process.stdout.readline().removeprefix("listening on ").strip()


def end(process, number=signal.SIGTERM):
    process.send_signal(number)
    output, errors = process.communicate(timeout=seconds(30))
    return f"exit {process.returncode}{output}{errors}"


def dispute(title, first, second, *options):
    done = subprocess.run(["gensyn-verify", "dispute", first, second, *options], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=seconds(120))
    print(f"{title}:", re.sub(r"127\.0\.0\.1:\d+", "ADDRESS", done.stdout), f"exit {done.returncode}", sep="\n")


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True)


def make_keys():
    """Two authorities, a certificate of the first for two parties and one of the second. Returns their options."""
    made = {}
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    for name, authority in (("one", None), ("two", None), ("first", "one"), ("second", "one"), ("stranger", "two")):
        files = [folder / f"{name}.pem", folder / f"{name}.key"]
        signed = ["-CA", folder / f"{authority}.pem", "-CAkey", folder / f"{authority}.key",
                  "-addext", "subjectAltName=IP:127.0.0.1"] if authority else []
        openssl("req", "-x509", *key, "-subj", f"/CN={name}", "-out", files[0], "-keyout", files[1], *signed)
        files[1].chmod(0o600)
        # A stranger knows who signs the others, but not the other way round.
        made[name] = ["--tls-certificate", files[0], "--tls-key", files[1], "--tls-authority", folder / "one.pem"]
    return made


def handshake(address, *keys):
    """What a server says to a client with or without a certificate: whether it begins with HTTP/2."""
    context = ssl.create_default_context(cafile=folder / "one.pem")
    context.set_alpn_protocols(["h2"])
    if keys:
        context.load_cert_chain(keys[1], keys[3])
    host, port = address.split(":")
    try:
        with socket.create_connection((host, int(port))) as plain, \
                context.wrap_socket(plain, server_hostname=host) as tls:
            return "accepted" if tls.recv(1024) else "refused"
    except OSError as error:
        return f"refused, {type(error).__name__}"


class Proxy:
    """Passes bytes on, both ways, to an address. Calls a function once, when the other side has sent so many, before
    these are passed on."""

    def __init__(self, address, most, function):
        self.target, self.most, self.function, self.sent = address.split(":"), most, function, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:" + str(self.listener.getsockname()[1])
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            here, _ = self.listener.accept()
            try:
                there = socket.create_connection((self.target[0], int(self.target[1])))
            except OSError:
                here.close()
                continue
            for words in ((here, there, False), (there, here, True)):
                threading.Thread(target=self.copy, args=words, daemon=True).start()

    def copy(self, source, sink, is_answer):
        try:
            while data := source.recv(4096):
                self.sent += len(data) * is_answer
                if self.function and self.sent > self.most:
                    function, self.function = self.function, None
                    function(source, sink)
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            end.close()


def plain():
    honest, here = serve("run")
    _, there = serve("run", "--json")
    first, second = f"grpc://{here}", f"grpc://{there}"
    dispute("equal", first, second)
    cheat, place = serve("cheat")
    dispute("cheat", first, f"grpc://{place}")
    dispute("cheat against a folder", f"grpc://{place}", folder / "run", *DATA)
    print("ended:", end(cheat))
    dispute("one bit", first, f"grpc://{lie('one-bit-of-one-element', 7)}", "--case", folder / "case.pb")
    dispute("another sample", first, f"grpc://{lie('poisoned-sample', 7)}")
    dispute("too much", first, second, "--most-bytes", "1024")
    small, place = serve("run", "--most-bytes", "1024")
    dispute("too much to send", first, f"grpc://{place}")
    print("ended:", end(small))
    other = subprocess.Popen([sys.executable, Path(__file__).with_name("small_answer.py")], stdout=subprocess.PIPE)
    started.append(other)
    place = int(other.stdout.readline())
    dispute("compressed", first, f"grpc://127.0.0.1:{place}", "--most-bytes", "1048576")
    dispute("no data", first, folder / "run")
    print("interrupted:", end(honest, signal.SIGINT))
    dispute("nobody", first, second)
    dispute("far away", "grpc://192.0.2.1:1", second)
    for words in (["--listen", there], ["--listen", "0.0.0.0:0"], ["--listen", "127.0.0.1"]):
        done = subprocess.run(["gensyn-verify", "serve", folder / "run", *DATA, *words], capture_output=True, text=True)
        print("listen:", done.stderr.replace(there, "ADDRESS"), f"exit {done.returncode}")


def stop(process):
    """Stops it, and returns when no thread of it runs any more: a signal takes its time on a busy machine."""
    process.send_signal(signal.SIGSTOP)
    tasks = Path(f"/proc/{process.pid}/task")
    while any((task / "stat").read_text().rsplit(")", 1)[1].split()[0] != "T" for task in tasks.iterdir()):
        time.sleep(0.001)


def kill(process):
    process.kill()
    process.wait()


def disturbed():
    """In the middle, after what the run is, before what it claims of single steps."""
    _, here = serve("run")
    cheat, there = serve("cheat")

    def close(source, sink):
        for side in (source, sink):
            side.shutdown(socket.SHUT_RDWR)

    proxy = Proxy(there, 1500, close)
    dispute("lost connection", f"grpc://{here}", f"grpc://{proxy.address}")
    print("lost" if proxy.function is None else "not lost")
    proxy = Proxy(there, 1500, lambda *_: stop(cheat))
    dispute("stopped", f"grpc://{here}", f"grpc://{proxy.address}", *PATIENCE)
    dispute("stopped before", f"grpc://{here}", f"grpc://{there}", "--patience", "2")
    cheat.send_signal(signal.SIGCONT)
    proxy = Proxy(there, 1500, lambda *_: kill(cheat))
    dispute("killed", f"grpc://{here}", f"grpc://{proxy.address}", *PATIENCE)


def tls():
    keys = make_keys()
    _, here = serve("run", *keys["first"])
    _, there = serve("cheat", *keys["second"])
    first, second = f"grpc://{here}", f"grpc://{there}"
    dispute("tls", first, second, *keys["first"])
    dispute("stranger", first, second, *keys["stranger"])
    dispute("without tls", first, second)
    print("with certificate:", handshake(here, *keys["second"]))
    print("with that of a stranger:", handshake(here, *keys["stranger"]))
    print("without certificate:", handshake(here))
    (folder / "second.key").chmod(0o644)
    dispute("open key", first, second, *keys["second"])
    done = subprocess.run(["gensyn-verify", "serve", folder / "run", *DATA, *keys["second"]], capture_output=True, text=True)
    print("serve with it:", done.stdout + done.stderr, f"exit {done.returncode}")
    dispute("no certificate", first, second, "--tls-key", folder / "first.key")


try:
    plain()
    disturbed()
    tls()
finally:
    for process in started:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGCONT)
            process.kill()
            process.wait()
