#include "cli/topics.h"

namespace rehead::cli {
namespace {

constexpr Topic kTopics[] = {
    {"chains", "how a command line is read; chain files",
     R"(rehead [OPTIONS] [VERB [VERB-OPTIONS] [ARG] [then VERB ...]] [FILE...]

Steps run from left to right over each message, joined by the word 'then':
  rehead dechunk then inflate then content-length examples/data/decoded.http

* A verb takes one argument or none, always the same number. The argument never
  begins with '-'. Lists are separated by commas: remove server,x-powered-by
* Options of a verb stand directly before or after its argument.
* The chain comes first, files last: what stands behind the last argument is a
  file. Without any verb, a first word that holds a '.' or a '/', or is '-', is
  a file; any other first word must be a verb. '--' ends everything but files.
* Options of the program may stand anywhere before '--'.
* No FILE, or '-': standard input. No verb: messages are only made well-formed.

A chain file (-c FILE) holds one step per line; a line break is 'then', '#'
begins a comment, quotes and backslashes work as in a shell:
  # what leaves this machine
  remove 'x-internal-*'
  gzip --level 9
A backslash joins a line with the next. '-s request' may be the first line; -s
covers the whole chain and is not typed between its steps.
Steps typed behind it come after those of the file. --plan prints the chain as
it was understood, in this very form.
)"},
    {"expressions", "the language of where, test and --if",
     R"x(expr  = expr "or" expr | expr "and" expr | "not" expr | "(" expr ")" | test
test  = "has:" FIELD | FIELD OP VALUE
OP    = "=" "!=" "<" "<=" ">" ">=" "~" "!~"

FIELD:
  status reason version method url scheme host path query type size kind
  file entry message time ms body
  h:NAME       a header field: of the response, or of the request if only
               requests have it (Host, Cookie, If-*, ...); -s chooses
  req:NAME  res:NAME  cookie:NAME
NAME may be a pattern (has:x-*); a quoted name is literal: h:"x!y"=1
kind is request, response or exchange (a HAR entry).

'not' binds before 'and', and before 'or'. A comparison holds if any instance
of the field satisfies it; with 'all:' before the field, if every one does, also
if there is none: all:h:set-cookie ~ Secure. On an absent field every comparison
is false but != and !~, which are 'not =' and 'not ~'.
* '=' takes a list and patterns: status=4xx,503  type=image/*  path=/api/*
* '~' searches for an RE2 expression: h:server ~ ^nginx   (?i) for any case
* time is an instant: time>=2025-01-14T09:00:00+01:00  time<2025-01-15 (UTC)
* sizes know k, M and G: size>=100k. The size is that of the content as the
  steps before left it; a body of unknown size is held to learn it.
* body takes only ~ and !~: the decoded content, held in memory.
* Values with blanks, commas or parentheses are quoted: h:via ~ '(a|b) c'
Quote the whole: a shell reads > and ( itself.
  rehead where 'status>=400 and not has:etag' -t curl examples/data/shop.har
  rehead lower --if 'type=text/* and has:via' examples/data/redirect.http
  rehead test 'kind=request or (status<500 and has:date)' examples/data/api.http
)x"},
    {"fields", "names of fields, and which half of an exchange they mean", ""},
    {"formats", "what can be read and written", ""},
    {"har", "entry by entry: what stays, what is kept in step",
     R"(A HAR of any size is read and written entry by entry. What the chain does not
change stays byte for byte: unknown members, order, white space, numbers.

* Kept in step: cookies[] with Set-Cookie and Cookie, content.mimeType with
  Content-Type, redirectURL with Location, queryString with url, bodySize with
  Content-Length. headersSize becomes -1 where headers changed.
* Values joined by LF (Set-Cookie in many files) are fields of their own, and
  stay joined unless one of them changes. merge-cookies, split-cookies split.
* The text of a body is decoded, the headers tell of the wire: inflate takes a
  label off, gzip counts coded bytes, content-length states bodySize.
* set, add, content-type and the steps on bodies touch responses, the others
  both sides; req:NAME and res:NAME choose, -s chooses for all.
* An entry that cannot be read stays as it is: reported, exit 3. Of a cut file
  the complete entries are written and the document is closed: exit 3.

  rehead merge-cookies then remove 'x-*' examples/data/shop.har > clean.har
  rehead -t http examples/data/shop.har    # responses; requests: -s request
  rehead -t curl examples/data/shop.har    # a curl command per request
  rehead examples/data/shop.har examples/data/visit.har > both.har  # one
  rehead -t har examples/data/api.http     # a HAR of raw messages
)"},
    {"framing", "where a body ends",
     R"(Where the body of a raw message ends is decided from the bytes, because curl -i
prints decoded bodies under the original head:
  auto   (default) chunks that are chunks, lengths that fit; else what curl does
  wire   the head is true: Transfer-Encoding, then Content-Length, else the end
  curl   transfer codings are off already: to the next head or the end
  eof    Content-Length is ignored: each body runs to the next head or the end

Requests are read as the wire has them in every mode but eof. Bytes behind a
body that are no head are an error (exit 3); --lenient skips them, --framing eof
takes them into the body.
--split never: no message begins but where a length or the last chunk says so.
What is written is always framed as its head says, whatever came in.
Bytes alone cannot tell some cases apart: a decoded body that is itself a chunk
stream, a body that holds a whole response, unannounced trailers, a decoded body
that was cut. --framing decides them.

  rehead examples/data/decoded.http                   # chunks are off: a length
  rehead --framing wire examples/data/chunked.http    # chunks stay as they came
  rehead --framing eof content-length examples/data/post.http
)"},
    {"streaming", "what is held in memory and when output appears",
     R"(Input is read in blocks and each message leaves as soon as it is complete;
before a read that would wait, all that is complete is flushed. No option is
needed.

* Bodies flow through in constant memory, whatever their size.
* A body that a step recoded has a new length. Up to --hold (8M) of it is held
  to learn that; a longer one is written in chunks (HTTP/1.1) or by way of an
  unnamed temporary file in TMPDIR. --hold 0 never holds.
* text/event-stream, multipart/x-mixed-replace and application/x-ndjson are
  never held, unless content-length or dechunk ask for a length.
* A report and test read no body they do not need; first N stops reading.
* 'rehead help VERB' and --plan say how a step treats bodies.

  rehead gzip --hold 0 -t headers examples/data/decoded.http
  rehead strip-hop then set 'Cache-Control: no-store' --plan
)"},
    {"output", "-o: when a file appears, one file per host, entry or type",
     R"(-o FILE is written beside FILE and renamed when all is read and the exit status
is 0 or 1: until then what was there stays. NAME.gz is written as gzip.

With places in the name, messages of one name go into one file:
  rehead -o 'out/{host}.har' examples/data/visit.har          # a HAR per host
  rehead -t body -o 'out/{entry}{ext}' examples/data/visit.har  # each body

  {host}     of the request            {status}   200
  {entry}    number of the entry,      {type}     media type: text_html
  {message}  of the message            {ext}      fits the type: .html, .bin
  {file}     the input as named

* In a value every byte outside A-Z a-z 0-9 . _ - becomes _, so does a leading
  dot, what is missing is _, 100 bytes are kept: no path leaves the folder as
  it was typed. Folders are made.
* Each HAR has the members of the document its first entry came from.
* All files appear at the end, or none if there was an error. With -t body each
  appears when it is complete, a second body for one file is an error, and a
  message without content makes no file.
)"},
    {"exit-status", "what the exit status means",
     R"(  0    done; whatever was repaired was told in a warning
  1    the answer is no; never an error
  2    usage: nothing was read or written
  3    the input is not what it claims: malformed, broken, cut
  4    a step failed on well-formed input, or a limit was hit
  5    system: cannot open, read, write, rename; disk full
  130  141  143   ended by SIGINT, SIGPIPE, SIGTERM

Several files: the largest of 2 to 5 that occurred, otherwise 1 if any answer
was no, otherwise 0. Exit 0 means: all input was read, every message was
complete, every byte was written and closed.
)"},
    {"quoting", "getting values through the shell",
     R"(The shell takes words apart before rehead sees them. Single quotes keep them
whole:
  rehead set 'Cache-Control: no-cache, no-store' examples/data/api.http
  rehead remove 'x-*' examples/data/api.http    # else the shell looks for files
  rehead set 'X-Note: it'\''s here' examples/data/api.http  # a quote in quotes
  rehead set "X-User: $USER" examples/data/api.http    # $VARIABLES are replaced
  rehead where 'status>=400' examples/data/shop.har    # else > makes a file
  rehead -- examples/data/api.http               # what follows -- is a file

* In a chain file the same quotes work, but nothing is replaced in them.
* A value from somewhere else goes safely through @FILE: set @FILE, body @FILE.
* A name in a variable may begin with '-': "$name" stands behind '--'.
)"},
    {"redaction", "hiding secrets",
     R"(redact hides what is a secret by its name or its shape, in header fields,
cookies, URLs and bodies, and in everything a HAR says twice:

  rehead redact --text examples/data/visit.har > share.har
  rehead --check redact --text examples/data/visit.har   # exit 1: there are
  rehead redact --also x-request-id --keep lang examples/data/redirect.http
  rehead redact --match 'u-[0-9]+' --report - examples/data/shop.har
  rehead redact --list-rules

What has neither such a name nor such a shape is not found. By hand:

  rehead remove 'authorization,proxy-authorization,x-api-key,x-auth-token' \
    then remove cookie,set-cookie examples/data/api.http
  rehead remove-cookie 'sid,session*' examples/data/api.http   # only these
  rehead sub ':url:/token=[^&]*/token=HIDDEN/' examples/data/shop.har
  rehead drop-body -s both examples/data/api.http
)"},
    {"recipes", "short commands for common wishes",
     R"(One header of the last answer behind redirects:
  rehead last then get content-type examples/data/redirect.http
What curl -si saved, with a true length and no coding:
  rehead dechunk then inflate then content-length examples/data/decoded.http
The body alone, decoded:
  rehead inflate -t body examples/data/gzip.http
Fail if an answer is wrong (exit status 1):
  rehead test 'status=200 and type=application/json' examples/data/gzip.http
Requests that failed, as curl commands:
  rehead where 'status>=400' -t curl examples/data/visit.har
The slowest, as a table:
  rehead get --row :ms,:status,:url examples/data/visit.har | sort -rn | head -3
Which fields occur, and how often:
  rehead names examples/data/visit.har
A fixture that does not change from run to run:
  rehead remove 'date,x-request-id,server' then sort examples/data/redirect.http
What is wrong with these headers:
  rehead lint examples/data/cookies.http
One JSON object per message, for jq:
  rehead --json --no-body examples/data/redirect.http
)"},
};

}  // namespace

std::span<const Topic> topics() { return kTopics; }

}  // namespace rehead::cli
