"""Where `redact` must look: the tables of places, of secret names and of values that show what they are.

A row plants canaries in an Exchange `x` (redact_probe.py): `x.v` is a new one, `x("name")` the name in the case of the
probe. The rest of the exchange must stay as it is, and the canary becomes REDACTED; where less is promised, x.keep()
names what stays in the same string. To cover another place, add one line.
"""

from urllib.parse import quote

from redact_probe import Members, b64, dump


def multipart(*fields):
    parts = "".join(f'--b7\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields)
    return "multipart/form-data; boundary=b7", parts + "--b7--\r\n"


FORM, JSON, ALL = "application/x-www-form-urlencoded", "application/json", "raw har ndjson"
FIELD, URL, BODY, HAR = "plain unicode lf array pairs", "plain percent unicode", "plain unicode json base64", "plain unicode"

# Fields, parameters and members whose value is a secret as a whole.
FIELDS = ("X-Api-Key Api-Key X-Auth-Token X-Access-Token X-Client-Secret X-Session-Token X-CSRF-Token X-XSRF-Token "
          "X-Amz-Security-Token X-Amz-Signature X-Client-Data").split()
PARAMETERS = ("access_token refresh_token id_token token code state code_verifier code_challenge client_secret password passwd pass "
              "pwd api_key apikey SAMLRequest SAMLResponse assertion client_assertion id_token_hint authenticity_token csrf_token "
              "session_id auth sig signature X-Amz-Signature X-Amz-Security-Token X-Goog-Signature").split()
MEMBERS = ("access_token refresh_token id_token token client_secret password passwd api_key accessToken refreshToken idToken "
           "clientSecret apiKey csrfToken session_id sessionId private_key userPassword").split()


def jwt(x):
    return ".".join((b64('{"alg":"HS256"}', url=True), b64('{"sub":"1"}', url=True), x.canary(43)))


def private_key(kind):
    edge = "-----%s " + kind + "PRIVATE" + " KEY-----"
    return lambda x: f"{edge % 'BEGIN'}\n{x.canary(64)}\n{x.canary(64)}\n{edge % 'END'}"


# Values that show what they are, wherever they are written. Put together here, so that no file holds a whole one.
SHAPES = {
    "Bearer": lambda x: "Bearer " + x.canary(40),
    "Basic": lambda x: "Authorization: Basic " + x.basic(),
    "JWT": jwt,
    "private key": private_key(""), "RSA key": private_key("RSA "), "OpenSSH key": private_key("OPENSSH "),
    "AWS": lambda x: "AK" "IA" + x.canary(16, "JKQVXZ"),
    "GitHub": lambda x: "gh" "p_" + x.canary(36), "GitHub fine": lambda x: "github" "_pat_" + x.canary(82),
    "GitLab": lambda x: "gl" "pat-" + x.canary(20), "npm": lambda x: "np" "m_" + x.canary(36),
    "Stripe": lambda x: "sk_" "live_" + x.canary(24), "Slack": lambda x: "xo" "xb-123456789012-123456789012-" + x.canary(24),
    "Google": lambda x: "AI" "za" + x.canary(35), "SendGrid": lambda x: "S" "G." + x.canary(22) + "." + x.canary(43),
}


def cookie(x, name="sid", **more):
    return {"name": name, "value": x.v, "path": "/", "httpOnly": True, **more}


def pair(name, value):
    return {"name": name, "value": value}


# place, formats, spellings, what it plants.
PLACES = [
    ("Authorization Bearer", ALL, FIELD, lambda x: x.request("Authorization", f"Bearer {x.v}")),
    ("Authorization Basic", ALL, "plain lf array pairs", lambda x: x.request("Authorization", f"Basic {x.basic()}")),
    ("Authorization Digest", ALL, FIELD, lambda x: (x.keep("Digest "), x.request("Authorization", f'Digest username="anna", response="{x.v}"'))),
    ("Authorization AWS4", ALL, FIELD, lambda x: (x.keep("AWS4-HMAC-SHA256 "), x.request("Authorization", f"AWS4-HMAC-SHA256 Credential=a/b, Signature={x.v}"))),
    ("Authorization without scheme", ALL, FIELD, lambda x: x.request("Authorization", x.v)),
    ("Proxy-Authorization Bearer", ALL, FIELD, lambda x: x.request("Proxy-Authorization", f"Bearer {x.v}")),
    ("Proxy-Authorization Basic", ALL, "plain lf array pairs", lambda x: x.request("Proxy-Authorization", f"Basic {x.basic()}")),
    ("repeated field", ALL, FIELD, lambda x: (x.request("X-Api-Key", x.v), x.request("X-Api-Key", x.v))),
    ("Cookie, several values", ALL, "plain percent " + FIELD, lambda x: x.request("Cookie", f"sid={x.v}; theme={x.v};_ga={x.v}")),
    ("Cookie in quotes", ALL, FIELD, lambda x: (x.keep("sid="), x.request("Cookie", f'sid="{x.v}"'))),
    ("Cookie without a name", ALL, FIELD, lambda x: x.request("Cookie", x.v)),
    ("Cookie repeated", ALL, FIELD, lambda x: (x.request("Cookie", f"a={x.v}"), x.request("Cookie", f"b={x.v}; c={x.v}"))),
    ("Set-Cookie", ALL, "plain percent " + FIELD, lambda x: x.response("Set-Cookie", f"sid={x.v}; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly; SameSite=Lax")),
    ("Set-Cookie repeated", ALL, FIELD, lambda x: (x.response("Set-Cookie", f"a={x.v}; Secure"), x.response("Set-Cookie", f"b={x.v}"))),
    ("Set-Cookie joined by commas", ALL, FIELD, lambda x: x.response("Set-Cookie", f"a={x.v}; Path=/, b={x.v}; Path=/")),
    ("request cookies[] alone", "har", HAR, lambda x: x.member("request", "cookies", [cookie(x), cookie(x, "theme")])),
    ("response cookies[] alone", "har", HAR, lambda x: x.member("response", "cookies", [cookie(x, expires="2026-10-21T07:28:00Z")])),
    ("cookies[] that differ from Cookie", "har", HAR, lambda x: (x.request("Cookie", f"sid={x.v}"), x.member("request", "cookies", [cookie(x), cookie(x, "other")]))),
    ("cookies[] that differ from Set-Cookie", "har", HAR, lambda x: (x.response("Set-Cookie", f"sid={x.v}; Path=/"), x.member("response", "cookies", [cookie(x)]))),
    ("cookies[] null, then again", "har", HAR, lambda x: (x.member("request", "cookies", None), x.member("request", "cookies", [cookie(x)], again=True))),
    ("URL user and password", ALL, URL, lambda x: (x.keep("@a.example/p?q=shoes"), x.url(f"https://{x.v}:{x.v}@a.example/p?q=shoes"))),
    ("URL query", ALL, URL, lambda x: x.url(f"https://a.example/p?q=shoes&{x('access_token')}={x.v}&page=2&utm_source=mail")),
    ("URL query, name percent-encoded", ALL, URL, lambda x: x.url(f"https://a.example/p?q=shoes&access%5Ftoken={x.v}&page=2")),
    ("URL fragment with members", ALL, URL, lambda x: (x.keep("a.example" if "@" in x.target() else "/p?q=shoes#"), x.url(f"https://a.example/p?q=shoes#{x('access_token')}={x.v}&state={x.v}"))),
    ("URL fragment", ALL, URL, lambda x: (x.keep("/p?q=shoes#"), x.url(f"https://a.example/p?q=shoes#{x.v}"))),
    ("URL in a parameter of a URL", ALL, "plain unicode", lambda x: (x.keep("next=https%3A"), x.url("https://a.example/p?next=" + quote(f"https://b.example/?access_token={x.v}&q=1", safe="")))),
    ("Referer query", ALL, "plain percent " + FIELD, lambda x: x.request("Referer", f"https://a.example/?{x('token')}={x.v}&q=1")),
    ("Referer user", ALL, FIELD, lambda x: (x.keep("@a.example/"), x.request("Referer", f"https://{x.v}:{x.v}@a.example/"))),
    ("Origin user", ALL, FIELD, lambda x: (x.keep("@a.example"), x.request("Origin", f"https://{x.v}:{x.v}@a.example"))),
    ("Location query", ALL, "plain percent " + FIELD, lambda x: (x.url("https://a.example/l", 302), x.response("Location", f"/cb?{x('code')}={x.v}&q=1"))),
    ("Location fragment", ALL, FIELD, lambda x: (x.keep("https://b.example/cb#"), x.url("https://a.example/l", 302), x.response("Location", f"https://b.example/cb#{x('id_token')}={x.v}"))),
    ("Content-Location query", ALL, FIELD, lambda x: x.response("Content-Location", f"/p?{x('token')}={x.v}&q=1")),
    ("redirectURL alone", "har", URL, lambda x: x.member("response", "redirectURL", f"https://b.example/cb?{x('code')}={x.v}&q=1")),
    (":path", "har", URL, lambda x: x.request(":path", f"/p?q=shoes&{x('access_token')}={x.v}")),
    ("queryString[] alone", "har", URL, lambda x: x.member("request", "queryString", [pair("q", "shoes"), pair(x("access_token"), x.v), pair("page", "2")])),
    ("form", ALL, URL, lambda x: x.post(FORM, f"q=shoes&{x('password')}={x.v}&page=2")),
    ("form, JSON in a value", ALL, "plain", lambda x: (x.keep("q=shoes", "page=2"), x.post(FORM, "q=shoes&data=" + quote(dump({"token": x.v, "n": 1})) + "&page=2"))),
    ("JSON", ALL, BODY, lambda x: x.post(JSON, {"q": "shoes", x("password"): x.v, "page": 2, "ok": True})),
    ("JSON, deep", ALL, BODY, lambda x: x.post(JSON, {"a": [{"b": {x("client_secret"): x.v}}, 1.50, None], "q": "shoes"})),
    ("JSON, an object under the name", ALL, "plain", lambda x: (x.keep('"q":"shoes"'), x.post(JSON, {"password": {"old": x.v, "new": [x.v, x.v]}, "q": "shoes"}))),
    ("JSON, the name twice", ALL, BODY, lambda x: x.post(JSON, Members([(x("password"), x.v), ("q", "shoes"), (x("password"), x.v)]))),
    ("JSON lines", ALL, "plain unicode", lambda x: x.post("application/x-ndjson", f'{{"token":"{x.v}"}}\n{{"q":"shoes","token":"{x.v}"}}\n')),
    ("JSON of another type name", ALL, BODY, lambda x: x.post("application/vnd.api+json; charset=utf-8", {"q": "shoes", x("password"): x.v})),
    ("JSON without saying so", ALL, "plain", lambda x: x.post("text/plain;charset=UTF-8", dump({"q": "shoes", x("password"): x.v}))),
    ("JSON that is broken", ALL, "plain", lambda x: (x.keep(), x.post(JSON, f'{{"q":"{x.v}","password":"{x.v}", oops'))),
    ("multipart", ALL, "plain", lambda x: x.post(*multipart(("q", "shoes"), (x("password"), x.v), ("page", "2")))),
    ("multipart, JSON in a part", ALL, "plain", lambda x: x.post(*multipart(("q", "shoes"), ("data", dump({"token": x.v}))))),
    ("GraphQL variables", ALL, BODY, lambda x: x.post(JSON, {"query": "mutation($i:I!){login(i:$i){ok}}", "variables": {"i": {"user": "anna", x("password"): x.v}}})),
    ("params[] alone", "har", "plain percent unicode", lambda x: x.member("request", "postData", {"mimeType": FORM, "params": [pair("q", "shoes"), pair(x("password"), x.v)]})),
    ("params[] and text", "har", HAR, lambda x: x.member("request", "postData", {"mimeType": FORM, "text": f"{x('token')}={x.v}&q=1", "params": [pair(x("token"), x.v), pair("q", "1")]})),
    ("WebSocket JSON", "har", HAR, lambda x: x.member("entry", "_webSocketMessages", [{"type": "send", "time": 1.5, "opcode": 1, "data": dump({"op": "auth", x("token"): x.v})}])),
    ("WebSocket base64", "har", "plain", lambda x: (x.keep(), x.member("entry", "_webSocketMessages", [{"type": "send", "opcode": 2, "data": b64(dump({"op": "auth", "token": x.canary()}))}]))),
    ("WebSocket text", "har", HAR, lambda x: (x.keep("login"), x.member("entry", "_webSocketMessages", [{"type": "receive", "opcode": 1, "data": f"login Bearer {x.v}"}]))),
    ("_initiator URL", "har", URL, lambda x: x.member("entry", "_initiator", {"type": "script", "url": f"https://a.example/s.js?{x('token')}={x.v}&q=1", "lineNumber": 3})),
    ("_initiator stack URL", "har", URL, lambda x: x.member("entry", "_initiator", {"type": "script", "stack": {"callFrames": [{"url": f"https://a.example/s.js?{x('token')}={x.v}"}]}})),
    ("entry comment", "har", URL, lambda x: (x.keep("see https://a.example/?", "today"), x.member("entry", "comment", f"see https://a.example/?{x('access_token')}={x.v} today"))),
    ("request comment", "har", URL, lambda x: (x.keep("see"), x.member("request", "comment", f"see https://a.example/?{x('access_token')}={x.v}"))),
    ("unknown member with a URL", "har", URL, lambda x: x.member("response", "url", f"https://a.example/p?{x('access_token')}={x.v}&q=1")),
    ("headers twice, first copy", "har", HAR, lambda x: (x.request("X-Api-Key", x.v), x.member("request", "headers", [pair("Accept", "*/*")], again=True))),
    ("headers twice, second copy", "har", HAR, lambda x: x.member("request", "headers", [pair("Accept", "*/*"), pair(x("X-Api-Key"), x.v)], again=True)),
    ("url twice", "har", URL, lambda x: x.member("request", "url", f"https://a.example/p?{x('token')}={x.v}", again=True)),
    ("response twice", "har", HAR, lambda x: x.member("entry", "response", {"headers": [pair(x("Set-Cookie"), f"a={x.v}; Path=/")], "redirectURL": f"/?{x('code')}={x.v}"}, again=True)),
    ("value before name", "har", HAR, lambda x: x.member("request", "headers", [{"value": x.v, "name": x("X-Api-Key")}])),
    ("value twice in a header", "har", HAR, lambda x: x.member("request", "headers", [Members([("name", x("X-Api-Key")), ("value", x.v), ("value", x.v)])])),
    ("response JSON", ALL, BODY, lambda x: x.reply(JSON, {"q": "shoes", x("access_token"): x.v, "expires_in": 3600, "token_type": "Bearer"})),
    ("response JSON, deep", ALL, BODY, lambda x: x.reply(JSON, {"a": [{"b": {x("refresh_token"): x.v}}, 1.50, None], "q": "shoes"})),
    ("response JSON that is broken", ALL, "plain base64", lambda x: (x.keep(), x.reply(JSON, f'{{"q":"{x.v}","password":"{x.v}", oops'))),
    ("response form", ALL, "plain percent base64", lambda x: x.reply(FORM, f"q=shoes&{x('access_token')}={x.v}&page=2")),
    ("response URL in HTML", ALL, "plain percent base64", lambda x: (x.keep('<a href="https://a.example/?', "</a>"), x.reply("text/html", f'<p><a href="https://a.example/?{x("access_token")}={x.v}">go</a></p>'))),
]
PLACES += [(f"field {name}", ALL, FIELD, lambda x, name=name: x.request(name, x.v)) for name in FIELDS]
PLACES += [(f"response field {name}", ALL, "plain", lambda x, name=name: x.response(name, x.v)) for name in FIELDS]
PLACES += [(f"query {name}", ALL, "plain percent", lambda x, name=name: x.url(f"https://a.example/p?q=1&{x(name)}={x.v}&page=2")) for name in PARAMETERS]
PLACES += [(f"queryString[] {name}", "har", "plain", lambda x, name=name: x.member("request", "queryString", [pair(x(name), x.v)])) for name in PARAMETERS]
PLACES += [(f"form {name}", ALL, "plain", lambda x, name=name: x.post(FORM, f"q=1&{x(name)}={x.v}&page=2")) for name in PARAMETERS]
PLACES += [(f"JSON {name}", ALL, "plain json", lambda x, name=name: x.post(JSON, {"q": "1", x(name): x.v})) for name in MEMBERS]
PLACES += [(f"response JSON {name}", ALL, "plain", lambda x, name=name: x.reply(JSON, {"q": "1", x(name): x.v})) for name in MEMBERS]

# Where a text is opened that may hold one of SHAPES: place, formats, what it plants.
TEXTS = [
    ("text body", ALL, lambda x, text: x.post("text/plain", text)),
    ("JSON body", ALL, lambda x, text: x.post(JSON, {"q": "shoes", "note": text})),
    ("form body", ALL, lambda x, text: x.post(FORM, "q=shoes&note=" + quote(text, safe=""))),
    ("query", ALL, lambda x, text: x.url("https://a.example/p?q=shoes&note=" + quote(text, safe=""))),
    ("entry comment", "har", lambda x, text: x.member("entry", "comment", text)),
    ("WebSocket data", "har", lambda x, text: x.member("entry", "_webSocketMessages", [{"type": "send", "opcode": 1, "data": text}])),
    ("response text", ALL, lambda x, text: x.reply("text/plain", text)),
    ("response JSON", ALL, lambda x, text: x.reply(JSON, {"q": "shoes", "note": [text]})),
]


def plant_shape(plant, shape):
    def row(x):
        x.keep("seenbefore", "seenafter")
        plant(x, f"seenbefore {shape(x)} seenafter")
    return row


PLACES += [(f"{shape} in a {place}", formats, "plain" + " base64" * place.startswith("response"), plant_shape(plant, SHAPES[shape]))
           for place, formats, plant in TEXTS for shape in SHAPES]

# Innocent places where a value may stand again that was hidden before: place, formats, spellings, what it plants.
# "coded" is base64 of the value.
AGAIN = [
    ("query", ALL, "plain percent coded", lambda x, v: x.url(f"https://a.example/p?q={v}&page=2")),
    ("path", ALL, "plain percent", lambda x, v: x.url(f"https://a.example/p/{v}/x")),
    ("field", ALL, "plain unicode coded lf array pairs", lambda x, v: x.request("X-Note", f"was {v} once")),
    ("response field", ALL, "plain unicode", lambda x, v: x.response("X-Echo", v)),
    ("text body", ALL, "plain percent coded", lambda x, v: x.post("text/plain", f"was {v} once")),
    ("JSON body", ALL, "plain unicode json coded", lambda x, v: x.post(JSON, {"q": f"was {v} once"})),
    ("form body", ALL, "plain percent", lambda x, v: x.post(FORM, f"q={v}&page=2")),
    ("response text", ALL, "plain base64 coded", lambda x, v: x.reply("text/plain", f"was {v} once")),
    ("response JSON", ALL, "plain unicode json base64", lambda x, v: x.reply(JSON, {"q": [v]})),
    ("comment", "har", "plain percent unicode coded", lambda x, v: x.member("entry", "comment", f"was {v} once")),
    ("unknown member", "har", "plain unicode", lambda x, v: x.member("request", "_note", {"a": [v]})),
    ("queryString[]", "har", "plain percent unicode", lambda x, v: x.member("request", "queryString", [pair("q", v)])),
    ("WebSocket data", "har", "plain unicode", lambda x, v: x.member("entry", "_webSocketMessages", [{"type": "send", "opcode": 1, "data": f"was {v}"}])),
]
