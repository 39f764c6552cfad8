"""A server that speaks HTTP/2 by hand and answers each question with few compressed bytes that become many:
small_answer.py. Prints its port, and serves one connection."""

import gzip
import socket

HEADERS, DATA, SETTINGS = 1, 0, 4
END_STREAM, END_HEADERS, ACKNOWLEDGED = 1, 4, 1
BYTES = 50_000_000  # less than a window of 64 KiB compressed


def frame(kind, flags, stream, data=b""):
    return len(data).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + data


def literal(name, value):
    """A header that is not in a table."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def varint(number):
    result = b""
    while number >= 128:
        result += bytes([number % 128 + 128])
        number //= 128
    return result + bytes([number])


def message(data, is_compressed):
    return bytes([is_compressed]) + len(data).to_bytes(4, "big") + data


def receive(connection, count):
    data = b""
    while len(data) < count:
        if not (part := connection.recv(count - len(data))):
            raise EOFError
        data += part
    return data


def answer(connection, stream, body, *headers):
    begin = literal(":status", "200") + literal("content-type", "application/grpc") + b"".join(headers)
    connection.sendall(frame(HEADERS, END_HEADERS, stream, begin))
    for i in range(0, len(body), 16384):
        connection.sendall(frame(DATA, 0, stream, body[i:i + 16384]))
    connection.sendall(frame(HEADERS, END_HEADERS | END_STREAM, stream, literal("grpc-status", "0")))


with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    connection, _ = server.accept()
    receive(connection, 24)  # the preface
    connection.sendall(frame(SETTINGS, 0, 0))
    # An answer with a chunk of zeros: field 9, and in it field 1.
    zeros = b"\x0a" + varint(BYTES) + bytes(BYTES)
    zeros = gzip.compress(b"\x4a" + varint(len(zeros)) + zeros)
    asked = 0
    try:
        while True:
            head = receive(connection, 9)
            receive(connection, int.from_bytes(head[:3], "big"))
            kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
            if kind == SETTINGS and not flags & ACKNOWLEDGED:
                connection.sendall(frame(SETTINGS, ACKNOWLEDGED, 0))
            if kind == DATA and flags & END_STREAM:
                asked += 1
                if asked == 1:
                    answer(connection, stream, message(b"\x08\x01", False))  # version 1
                else:
                    answer(connection, stream, message(zeros, True), literal("grpc-encoding", "gzip"))
    except (EOFError, OSError):
        pass
