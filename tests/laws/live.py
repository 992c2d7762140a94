#!/usr/bin/env python3
"""A live pipe: what is complete leaves at once, while the input stays open; events flow one by one.

Nothing sleeps: each step waits for the bytes it wants, up to PATIENCE seconds, and nothing else is sent meanwhile.
"""

import os
import select
import shutil
import socket
import subprocess
import threading
import time

from harness import ENVIRONMENT, Tally, clip, program

PATIENCE = 10

MESSAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nhello\n"
CHUNKED = (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
           b"6\r\nhello\n\r\n0\r\n\r\n")


HAR_START = b'{"log":{"version":"1.2","entries":[\n'
HAR_ENTRY = (b'{"request":{"method":"GET","url":"https://a.example/","headers":[]},'
             b'"response":{"status":200,"headers":[{"name":"A","value":"1"}],"content":{"text":"hello"}}}')


class Pipe:
    """The program with both ends in our hands."""

    def __init__(self, arguments, stdin=subprocess.PIPE):
        self.child = subprocess.Popen([program(), *arguments], stdin=stdin, env=ENVIRONMENT,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.seen = b""

    def send(self, data):
        try:
            os.write(self.child.stdin.fileno(), data)
        except BrokenPipeError:
            pass  # it has ended: the wait that follows says what is missing

    def wait_for(self, wanted):
        """True once `wanted` has come since the last wait."""
        end = time.monotonic() + PATIENCE
        out = self.child.stdout
        while wanted not in self.seen:
            left = end - time.monotonic()
            if left <= 0 or not select.select([out], [], [], left)[0]:
                return False
            data = os.read(out.fileno(), 65536)
            if not data:
                return False
            self.seen += data
        self.seen = self.seen[self.seen.index(wanted) + len(wanted):]
        return True

    def close(self):
        for end in (self.child.stdin, self.child.stdout):
            if end:
                end.close()
        try:
            self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def first_message_at_once(tally):
    """Five complete messages, each answered before the next is sent."""
    cases = [
        ([], MESSAGE, b"hello\n"),
        ([], CHUNKED, b"0\r\n\r\n"),
        (["set", "X-Law: 1"], MESSAGE, b"hello\n"),
        (["content-length"], CHUNKED, b"hello\n"),
        (["dechunk", "then", "inflate", "then", "content-length"], CHUNKED, b"hello\n"),
        (["chunk"], MESSAGE, b"0\r\n\r\n"),
        (["--json"], MESSAGE, b"}\n"),
        (["-t", "headers"], MESSAGE, b"\r\n\r\n"),
        (["-t", "body"], MESSAGE, b"hello\n"),
    ]
    for arguments, message, end in cases:
        pipe = Pipe(arguments)
        came = 0
        for _ in range(5):
            pipe.send(message)
            came += pipe.wait_for(end)
        pipe.close()
        tally.check(f"a message leaves at once: {' '.join(arguments) or '(empty)'}", came == 5,
                    f"{came} of 5 came")


def first_entry_at_once(tally):
    """Of a HAR, too: an entry leaves when its last brace has come."""
    for arguments, end in (([], HAR_ENTRY[-20:]), (["set", "A: 2"], b'"value":"2"}],"content":{"text":"hello"}}}'),
                           (["-t", "http"], b"\r\n\r\nhello"), (["--json"], b"}\n"), (["-t", "curl"], b"'\n"),
                           (["get", ":status"], b"200\n"), (["where", "status=200"], HAR_ENTRY[-20:])):
        pipe = Pipe(arguments)
        pipe.send(HAR_START)
        came = 0
        for count in range(5):
            pipe.send((b",\n" if count else b"") + HAR_ENTRY)
            came += pipe.wait_for(end)
        pipe.close()
        tally.check(f"an entry leaves at once: {' '.join(arguments) or '(empty)'}", came == 5, f"{came} of 5 came")


HEADS = {
    "chunked on the wire": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
    "decoded by curl": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
    "close-delimited": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n",
    "HTTP/2": b"HTTP/2 200 \r\ncontent-type: text/event-stream\r\n\r\n",
}
EVENTS = [b"data: %d\n\n" % n for n in range(5)]
CHAINS = [[], ["set", "X-Law: 1"], ["chunk"], ["inflate"]]


def event_by_event(tally, name, pipe, send):
    came = 0
    for event in EVENTS:
        send(event)
        came += pipe.wait_for(event)
    tally.check(name, came == len(EVENTS), f"{came} of {len(EVENTS)} came; left over {clip(pipe.seen)}")


def as_chunk(event):
    return b"%x\r\n" % len(event) + event + b"\r\n"


def events_through_a_pipe(tally):
    for kind, head in HEADS.items():
        for chain in CHAINS:
            pipe = Pipe(chain)
            pipe.send(head)
            wrap = as_chunk if kind == "chunked on the wire" else lambda event: event
            event_by_event(tally, f"events, {kind}: {' '.join(chain) or '(empty)'}", pipe,
                           lambda event, wrap=wrap, pipe=pipe: pipe.send(wrap(event)))
            pipe.close()


class EventServer:
    """Answers one request with a head, then with the events it is told to send."""

    def __init__(self, head, wrap):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d/" % self.listener.getsockname()[1]
        self.head, self.wrap, self.ready = head, wrap, threading.Event()
        self.connection = None
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        self.connection, _ = self.listener.accept()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        request = b""
        while b"\r\n\r\n" not in request:
            request += self.connection.recv(4096)
        self.connection.sendall(self.head)
        self.ready.set()

    def send(self, event):
        if self.ready.wait(PATIENCE):
            try:
                self.connection.sendall(self.wrap(event))
            except OSError:
                pass  # curl has gone: the wait that follows says what is missing

    def close(self):
        self.listener.close()
        if self.connection:
            self.connection.close()


def events_through_curl(tally):
    if not shutil.which("curl"):
        tally.skip("events through curl", "no curl here")
        return
    for kind, extra in (("chunked on the wire", ["--raw"]), ("decoded by curl", []),
                        ("close-delimited", [])):
        for chain in CHAINS:
            wrap = (lambda event: event) if kind == "close-delimited" else as_chunk
            server = EventServer(HEADS[kind], wrap)
            curl = subprocess.Popen(["curl", "-siN", "--noproxy", "*", *extra, server.url],
                                    stdout=subprocess.PIPE)
            pipe = Pipe(chain, stdin=curl.stdout)
            curl.stdout.close()
            event_by_event(tally, f"curl -siN {kind}: {' '.join(chain) or '(empty)'}", pipe, server.send)
            server.close()
            curl.wait(PATIENCE)
            pipe.close()


def main():
    tally = Tally()
    first_message_at_once(tally)
    first_entry_at_once(tally)
    events_through_a_pipe(tally)
    events_through_curl(tally)
    tally.close()


main()
