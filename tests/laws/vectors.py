#!/usr/bin/env python3
"""Behaviour vectors: what Rack, OpenResty, headers-more and the RFCs do with a message, and rehead.

tests/data/vectors.json holds the vectors, one a line: `input`, `options`, `expected` (what the source
system gave) and `rehead`, where its default says what rehead should do instead. Each runs through the
program as a person would type it. A vector that is answered differently on purpose stands in
tests/data/vectors_differences.tsv (id, reason, rehead's answer as JSON); one that stands there and
agrees is a failure, too.
"""

import base64
import gzip
import json
import re
import zlib

from harness import ROOT, Run, Tally, scratch

DATA = ROOT / "tests" / "data"

REPORTS = ("lint", "common-log")

FRAMING = {"content-length", "transfer-encoding"}


class Answer:
    """The last message a run wrote: status, fields, content; or that it was refused."""

    def __init__(self, run):
        self.refused = run.status if run.status != 0 else None
        self.warned = b"warning" in run.err
        self.status, self.fields, self.content, self.wire = None, [], b"", b""
        self.true = True
        if self.refused is None:
            self.read(run.out)

    def read(self, data):
        while data:
            head, _, rest = data.partition(b"\r\n\r\n")
            start, *lines = head.decode("latin-1").split("\r\n")
            self.status = int(start.split()[1]) if start.startswith("HTTP/") else None
            self.fields = [list(re.split(r": ?", line, maxsplit=1)) for line in lines]
            data = self.body(rest)

    def body(self, rest):
        """Takes the body as the fields frame it; what is left is the next message."""
        names = {name.lower(): value for name, value in self.fields}
        self.content, self.wire = b"", b""
        if self.status in (204, 304) or (self.status or 200) < 200:
            return rest
        if "transfer-encoding" in names:
            size = self.chunks(rest)
        elif "content-length" in names:
            size = int(names["content-length"])
            self.content = rest[:size]
            self.true = not rest or len(self.content) == size
        elif self.status is None:
            size = 0
        else:
            size = len(rest)
            self.content = rest
        self.wire = rest[:size]
        return rest[size:]

    def chunks(self, rest):
        at = 0
        while at < len(rest):
            line = re.compile(rb"(0|[1-9a-f][0-9a-f]*)\r\n").match(rest, at)
            if not line:
                self.true = False
                return len(rest)
            size, at = int(line[1], 16), line.end()
            if size == 0:
                return rest.index(b"\r\n\r\n", at - 2) + 4
            self.content += rest[at:at + size]
            at += size + 2
        return at

    def coded(self):
        """The content as told in vectors: text, or what a coding holds."""
        undo = {"gzip": gzip.decompress, "deflate": zlib.decompress}
        label = dict(self.fields).get("Content-Encoding")
        if not self.content or label not in undo:
            return self.content.decode("latin-1")
        return f"{label} of: " + undo[label](self.content).decode("latin-1")

    def text(self):
        if self.refused is not None:
            return json.dumps({"exit": self.refused})
        answer = {"status": self.status} if self.status is not None else {}
        content = self.coded()
        coded = " of: " in content  # its length is the coder's
        fields = [field for field in self.fields if not coded or field[0] != "Content-Length"]
        return json.dumps(answer | {"fields": fields, "content": content})


def placeholders(text):
    """<CR> and the like in the options of a vector, as bytes in a Latin-1 string."""
    names = {"CR": "\r", "LF": "\n", "TAB": "\t", "NUL": "\0", "DEL": "\x7f"}
    return re.sub(r"<(CR|LF|TAB|NUL|DEL|[0-9A-F]{2})>",
                  lambda found: names.get(found[1]) or chr(int(found[1], 16)), text)


class Vector:
    def __init__(self, values):
        self.id, self.transform = values["id"], values["transform"]
        self.input, self.options = values["input"], values["options"]
        self.expected, self.rehead = values["expected"], values["rehead"]
        self.nginx = self.id.startswith(("ng-", "hd-m", "rq-", "gz-", "gu-"))
        self.request = self.options.get("request", {})

    # What goes in.

    def content(self):
        if "body_base64" in self.input:
            return base64.b64decode(self.input["body_base64"])
        return self.input.get("body", "").encode("latin-1")

    def raw(self):
        """The message as it would stand in a file."""
        version = self.request.get("version", "HTTP/1.1")
        fields = list(self.input["headers"])
        content = self.content()
        if "trailers" in self.options:  # the source system has them beside the body
            fields.append(["Transfer-Encoding", "chunked"])
            lines = "".join(f"{name}: {value}\r\n" for name, value in self.options["trailers"])
            content = b"%x\r\n%s\r\n0\r\n%s\r\n" % (len(content), content, lines.encode())
        head = "".join(f"{name}: {value}\r\n" for name, value in fields)
        head = self.input.get("raw_head", "") + head
        if self.options.get("message") == "request":
            return f"GET / {version}\r\n{head}\r\n".encode("latin-1")
        before = ""
        if self.request.get("method") == "HEAD":
            before, content = "HEAD / HTTP/1.1\r\n\r\n", b""
        start = f"{before}{version} {self.input.get('status', 200)} x\r\n"
        return f"{start}{head}\r\n".encode("latin-1") + content

    def exchange(self):
        """Request and answer as one line of NDJSON, for content negotiation."""
        accept = self.request.get("accept_encoding")
        fields = [] if accept is None else [["Accept-Encoding", accept]]
        response = {
            "version": self.request.get("version", "HTTP/1.1"),
            "status": self.input["status"], "reason": "x", "headers": self.input["headers"],
            "body64": base64.b64encode(self.content()).decode(), "trailers": [],
        }
        if self.request.get("method") == "HEAD" and self.transform != "lint":
            del response["body64"]
        return (json.dumps({
            "kind": "exchange", "entry": 1,
            "request": {"version": "HTTP/1.1", "method": self.request.get("method", "GET"),
                        "target": self.request.get("path", "/"), "headers": fields},
            "response": response}) + "\n").encode()

    def line(self):
        """One line of NDJSON, for values that no line of raw HTTP could hold."""
        return (json.dumps({"kind": "response", "version": "HTTP/1.1", "status": 200, "reason": "x",
                            "headers": self.input["headers"], "body": ""}) + "\n").encode()

    # How it is typed.

    def words(self, folder):
        """Arguments and input of the run."""
        steps = {
            "content-length": self.lengths, "content-type": self.types, "chunked": self.chunking,
            "set-cookie": self.set_cookies, "gzip": self.coding,
            "header-map": self.operations, "cookies": self.cookies,
        }
        if self.transform in steps and "get" not in self.options:
            return steps[self.transform](folder)
        if self.transform.startswith(("set-", "remove-", "replace-")):
            return self.directives(folder)
        if "get" in self.options:
            return ["get", self.options["get"].replace(" ", "")], self.raw()
        if self.transform == "lint":
            return ["lint", "-s", "response"], self.exchange()
        if self.transform == "common-log":
            # A length that is too long is a short body to raw HTTP, which log does not judge.
            return ["log"], self.exchange()
        if self.transform == "combine":
            return ["join", ",".join(self.options["names"])], self.raw()
        if self.transform == "rack-newlines":
            return ["split-cookies", "-t", "http"], self.line()
        verb = {"hop-by-hop": ["strip-hop"], "dechunk": ["dechunk"], "inflate": ["inflate"],
                "etag": ["etag"]}
        return verb.get(self.transform, []), self.raw()

    def lengths(self, folder):
        if "remove" in self.options:
            return self.directives(folder)
        # A length that is no length is an error to raw HTTP; a wrong one would cut the body.
        stated = dict(self.input["headers"]).get("Content-Length")
        extra = {"": ["--lenient"], "3": ["--framing", "eof"]}.get(stated, [])
        return ["content-length", *extra], self.raw()

    def types(self, folder):
        if "set" in self.options or "remove" in self.options:
            return self.directives(folder)
        return ["content-type", self.options.get("default", "text/html")], self.raw()

    def chunking(self, _):
        return ["chunk"], self.raw()

    def coding(self, _):
        types = self.options.get("include", ["text/plain"] if self.nginx else ["all"])
        if self.id == "df-44":  # chunks are framing, which NDJSON has not
            return ["gzip", "--types", "all"], self.raw()
        verb = "deflate" if self.request["accept_encoding"] == "deflate" else "gzip"
        return ["-t", "http", verb, "--negotiate", "--types", ",".join(types)], self.exchange()

    def cookies(self, folder):
        if self.id == "rf-19":
            return ["merge-cookies"], self.raw()
        return self.directives(folder)

    def directives(self, folder):
        """`set`, `add`, `remove`, `replace` lists: one step each, one file for a list of one name."""
        chain = []
        wanted = [placeholders(text) for text in self.options.get("set", [])]
        names = [text.partition(":")[0].lower() for text in wanted]
        single = {"content-type"}  # a field of one value: the last of several counts
        if len(wanted) > 1 and len(set(names) - single) == 1 and all(": " in t for t in wanted):
            path = folder / f"{self.id}.fields"
            path.write_text("\n".join(wanted), encoding="latin-1")
            chain.append(["set", f"@{path}"])
        else:
            # headers-more: a name without a value clears.
            chain += [["set", text] if ": " in text else ["remove", text.rstrip(":")]
                      for text in wanted]
        chain += [["add", text] for text in self.options.get("add", [])]
        chain += [["set", "--if-present", text] for text in self.options.get("replace", [])]
        chain += [["remove", text] for text in self.options.get("remove", [])]
        tests = []
        if "if_status" in self.options:
            tests.append("status=" + ",".join(str(code) for code in self.options["if_status"]))
        if "if_type" in self.options:
            tests.append("type=" + ",".join(f"'{name}'" for name in self.options["if_type"]))
        if tests:
            chain = [step + ["--if", " and ".join(tests)] for step in chain]
        return chained(chain), self.raw()

    def operations(self, _):
        chain = []
        for verb, *words in self.options["ops"]:
            if verb == "set":
                chain.append(["set", f"{words[0]}: {words[1]}"])
            elif verb == "delete":
                chain.append(["remove", words[0]])
            elif verb == "clear":
                chain.append(["remove", "*"])
        return chained(chain), self.raw()

    def set_cookies(self, _):
        chain = []
        for verb, name, value in self.options["ops"]:
            if verb == "delete":
                domain = f"; domain={value['domain']}" if "domain" in value else ""
                gone = f"{name}={domain}; max-age=0; expires=Thu, 01 Jan 1970 00:00:00 GMT"
                chain.append(["set-cookie", gone])
                continue
            attributes = value if isinstance(value, dict) else {"value": value}
            value = attributes["value"]
            spec = f"{name}={'&'.join(value) if isinstance(value, list) else value}"
            for key, setting in attributes.items():
                if key == "value":
                    continue
                key = key.replace("_", "")
                spec += f"; {key}" if setting is True else f"; {key}={setting}"
            chain.append(["set-cookie", spec])
        return chained(chain), self.raw()

    # What should come out.

    def agrees(self, answer):
        rule = self.rehead
        if "expected_status" in rule:
            return answer.status == rule["expected_status"]
        if rule["default"] == "error" or self.expected.get("refused"):
            return answer.refused == 2
        if answer.refused is not None:
            return False
        fields, content = self.expected.get("headers"), self.expected.get("body")
        inflated = re.match(r'gzip stream that inflates to: "(.*)"$',
                            self.expected.get("body_property", ""))
        if inflated:
            content = "gzip of: " + inflated[1]
        if content == "unchanged":
            content = self.content().decode("latin-1")
        if "expected_headers" in rule:
            fields = rule["expected_headers"]
        elif "expected_header" in rule:
            name, value = rule["expected_header"]
            fields = [[n, value if n.lower() == name.lower() else v] for n, v in fields]
        elif rule.get("expected") == "untouched":
            fields, content = self.input["headers"], self.input["body"]
        elif rule.get("expected") == "compressed":
            fields = self.input["headers"] + [["Vary", "Accept-Encoding"],
                                              ["Content-Encoding", "gzip"]]
            content = "gzip of: " + self.input["body"]
        elif rule.get("expected") == "header removed":
            fields = [field for field in fields if not field[0].startswith("Content-MD5")]
        if self.transform in ("chunked", "content-length") and content is not None:
            content = dechunked(content)
        if fields is not None and not self.same(fields, answer.fields):
            return False
        if "status" in self.expected and self.expected["status"] != answer.status:
            return False
        return content is None or content == answer.coded()

    def same(self, wanted, fields):
        """The framing is nginx's own, and the coder's, whose order is, too."""
        coder = self.transform in ("gzip", "inflate")
        framing = self.nginx or coder or self.transform == "rack-newlines"
        lower = all(name == name.lower() for name, _ in wanted)

        def plain(rows):
            rows = [[name.lower() if lower or coder else name,
                     re.sub(r", *", ", ", value) if coder else value] for name, value in rows]
            if framing:
                rows = [row for row in rows if row[0].lower() not in FRAMING]
            return sorted(rows) if coder else rows

        return plain(wanted) == plain(fields)


def chained(chain):
    """Steps with `then` between them."""
    words = []
    for step in chain:
        words += (["then"] if words else []) + step
    return words


def dechunked(text):
    """Content of a chunk stream, the text itself if it is none: chunk borders are not compared."""
    content, at = "", 0
    while found := re.compile(r"([0-9a-f]+)\r\n").match(text, at):
        size, at = int(found[1], 16), found.end()
        if size == 0:
            return content
        content += text[at:at + size]
        at += size + 2
    return text


class Line:
    """What a report said, in the form of a vector's `expected`."""

    def __init__(self, vector, run):
        self.true, self.warned = True, b"warning" in run.err
        self.vector, self.status = vector, run.status
        self.lines = run.out.decode("latin-1")

    def agrees(self):
        expected, rule = self.vector.expected, self.vector.rehead["default"]
        if "get" in self.vector.options:
            seen = dict(expected["headers"])["X-Seen"]
            return "".join(self.lines.split("\n")) == seen.replace("|", "").replace("table", "13")
        if self.vector.transform == "lint":
            wrong = "refused" in expected if rule == "same" else rule == "error"
            return self.status == (1 if wrong else 0)
        line = re.sub(r"\[.*?\]", "[]", expected["line"]).replace(" SECONDS", "")
        return re.sub(r"\[.*?\]", "[]", self.lines) == line

    def text(self):
        return json.dumps({"exit": self.status, "out": self.lines})


def properties(tally):
    """What a vector says in words."""
    loose = b"X-A : one\r\n\r\n"
    response = Run([], b"HTTP/1.1 200 x\r\n" + loose)
    tally.check("rf-17: a blank before the colon goes, with a warning",
                b"\r\nX-A: one\r\n" in response.out and b"warning" in response.err, response.err)
    tally.check("rf-17: in a request it is refused",
                Run([], b"GET / HTTP/1.1\r\n" + loose).status == 3)


def main():
    tally = Tally()
    vectors = json.loads((DATA / "vectors.json").read_text(encoding="utf-8"))
    rows = (DATA / "vectors_differences.tsv").read_text(encoding="utf-8").splitlines()
    different = {row.split("\t")[0]: row.split("\t")[1:] for row in rows}
    with scratch() as name:
        folder = type(ROOT)(name)
        for vector in map(Vector, vectors):
            if vector.id == "rf-17":
                continue
            arguments, data = vector.words(folder)
            if any("\0" in word for word in arguments):  # no argument can hold it
                path = folder / f"{vector.id}.fields"
                path.write_text(arguments[1], encoding="latin-1", newline="")
                arguments = ["set", f"@{path}"]
            run = Run([word.encode("latin-1") for word in arguments], data)
            report = vector.transform in REPORTS or "get" in vector.options
            answer = Line(vector, run) if report else Answer(run)
            agrees = answer.agrees() if report else vector.agrees(answer)
            detail = f"{arguments}\n{vector.expected}\n{vector.rehead}\n{answer.text()}\n{run.err!r}"
            tally.check(f"{vector.id}: the framing is true", answer.true, detail)
            if vector.id in different:
                tally.check(f"{vector.id}: differs on purpose",
                            not agrees and answer.text() == different[vector.id][1],
                            detail)
            else:
                tally.check(f"{vector.id}: agrees", agrees, detail)
            if "warning" in vector.expected.get("property", ""):
                tally.check(f"{vector.id}: warns", answer.warned, run.err)
    properties(tally)
    unknown = set(different) - {vector["id"] for vector in vectors}
    tally.check("every difference is of a vector", not unknown, unknown)
    tally.close()


if __name__ == "__main__":
    main()
