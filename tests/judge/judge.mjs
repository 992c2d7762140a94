// Node's HTTP parser (llhttp) as the judge of what rehead writes.
//
//   node tests/judge/judge.mjs PROGRAM FILE...
//
// Every FILE goes through every chain; each message of the output is then given to a parser of its own, byte by
// byte, its start line as HTTP/1.1, and must end where rehead says, with the fields, trailers and body that rehead
// reads in it (--json). A withheld head is judged as the answer to HEAD, a close-delimited body by its size.
import {spawnSync} from 'node:child_process';
import {basename} from 'node:path';
import zlib from 'node:zlib';

// The binding node's own client and server use; it warns that it is internal.
process.removeAllListeners('warning');
process.on('warning', () => {});
const {HTTPParser} = process.binding('http_parser');

const CHAINS = [
  [],
  ['content-length'],
  ['dechunk', 'then', 'inflate', 'then', 'content-length'],
  ['content-type', 'text/html', 'then', 'gzip', 'then', 'chunk', 'then', 'merge-cookies'],
  ['chunk', 'then', 'set', 'X-Judge: 1'],
  ['br'],
  ['strip-hop', 'then', 'remove', 'x-*'],
  ['drop-body'],
];

// What rehead keeps on purpose and llhttp refuses.
const EXCEPTIONS = {
  'x.cr-in-value': 'control bytes in a value are kept',
};

const tally = {passed: 0, failed: 0, skipped: 0};

function fail(name, text) {
  ++tally.failed;
  console.log(`FAILED ${name}\n  ${text.replaceAll('\n', '\n  ')}`);
}

function rehead(program, args, input) {
  const run = spawnSync(program, args, {input, maxBuffer: 1 << 28, timeout: 60000});
  if (run.error) throw run.error;
  return run;
}

// HTTP/2 and HTTP/3 have trailers without chunks, and curl prints them behind the body: so does raw output, where
// the parser takes them for body.
function gluedTrailers(message) {
  if (message.wire.framing !== 'close') return '';
  return message.trailers.map(latin1).map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

// One message, fed until it is complete: {used, status, fields, trailers, body}, or {error}.
function parse(bytes, message, last) {
  const request = message.kind === 'request';
  const parser = new HTTPParser();
  parser.initialize(request ? HTTPParser.REQUEST : HTTPParser.RESPONSE, {}, 1 << 24);
  const seen = {fields: [], trailers: [], body: [], status: 0, headed: false, done: false};
  const bodyless = ['withheld', 'none'].includes(message.wire.framing);
  parser[HTTPParser.kOnMessageBegin | 0] = () => {};
  parser[HTTPParser.kOnHeaders | 0] = (list) => {
    (seen.headed ? seen.trailers : seen.fields).push(...list);
  };
  parser[HTTPParser.kOnHeadersComplete | 0] = (major, minor, list, method, url, status) => {
    seen.fields.push(...(list ?? []));
    seen.status = status;
    seen.url = url;
    seen.headed = true;
    return bodyless ? 1 : 0;
  };
  parser[HTTPParser.kOnBody | 0] = (chunk) => seen.body.push(Buffer.from(chunk));
  parser[HTTPParser.kOnMessageComplete | 0] = () => { seen.done = true; };

  // HTTP/2 and HTTP/3 start lines are how curl prints those versions: the parser knows 1.x.
  const first = bytes.indexOf('\r\n');
  const line = bytes.subarray(0, first).toString('latin1');
  const judged = Buffer.from(line.replace(/^HTTP\/[0-9.]+/, 'HTTP/1.1').replace(/HTTP\/[0-9.]+$/, 'HTTP/1.1'), 'latin1');
  const head = parser.execute(judged);
  if (head instanceof Error) return {error: `${head.code}: ${head.reason} in the start line`};
  let used = first;
  const untilClose = message.wire.framing === 'close' || message.wire.framing === 'opaque';
  const headEnd = bytes.indexOf('\r\n\r\n') + 4;
  const end = untilClose && !last ? headEnd + message.size + gluedTrailers(message).length : bytes.length;
  while (used < end && !seen.done) {
    const result = parser.execute(bytes.subarray(used, used + 1));
    if (result instanceof Error) return {error: `${result.code}: ${result.reason} at byte ${used}`};
    ++used;
    // 101 and a CONNECT answer leave HTTP: what follows belongs to another protocol.
    if (message.wire.framing === 'opaque' && used === headEnd) {
      seen.body.push(bytes.subarray(headEnd, end));
      used = end;
      seen.done = true;
    }
  }
  if (!seen.done && untilClose) {
    const result = parser.finish();
    if (result instanceof Error) return {error: `${result.code}: ${result.reason} at the end`};
  }
  if (!seen.done) return {error: `not complete after ${used} bytes`};
  return {...seen, used, body: Buffer.concat(seen.body)};
}

// rehead reads a body without its transfer codings; the parser only takes chunks off.
function withoutTransferCodings(fields, body) {
  const value = fields.filter(([name]) => /^transfer-encoding$/i.test(name)).map(([, text]) => text).join(',');
  for (const coding of value.toLowerCase().split(',').map((text) => text.trim()).reverse()) {
    try {
      if (coding === 'gzip' || coding === 'x-gzip') body = zlib.gunzipSync(body);
      if (coding === 'deflate') body = (body[0] & 15) === 8 ? zlib.inflateSync(body) : zlib.inflateRawSync(body);
    } catch (error) {
      // Without a zlib header there is no telling deflate from what curl has already decoded.
      if (coding !== 'deflate') return Buffer.from(`${coding}: ${error.message}`);
    }
  }
  return body;
}

const latin1 = ([name, value, latin]) =>
  [name, latin ? value : Buffer.from(value, 'utf8').toString('latin1')];

function pairs(flat) {
  const list = [];
  for (let i = 0; i < flat.length; i += 2) list.push([flat[i], flat[i + 1].trim()]);
  return list;
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// The first thing node sees otherwise, or an empty string.
function difference(bytes, message, last) {
  const seen = parse(bytes, message, last);
  if (seen.error) return {text: seen.error};
  const body = message.body64 === undefined ? Buffer.from(message.body ?? '', 'utf8')
                                            : Buffer.from(message.body64, 'base64');
  const glued = gluedTrailers(message);
  const rows = [
    ['status', message.status ?? 0, message.kind === 'request' ? 0 : seen.status],
    ['fields', message.headers.map(latin1), pairs(seen.fields)],
    ['trailers', glued ? [] : message.trailers.map(latin1), pairs(seen.trailers)],
    ['body', body.toString('latin1') + glued, withoutTransferCodings(pairs(seen.fields), seen.body).toString('latin1')],
  ];
  for (const [what, ours, theirs] of rows) {
    if (!same(ours, theirs)) {
      return {text: `${what}: rehead ${JSON.stringify(ours)}\n${' '.repeat(what.length)}  node   ${JSON.stringify(theirs)}`};
    }
  }
  return {used: seen.used};
}

function judge(program, file, chain) {
  const name = `${chain.join(' ') || '(empty)'}: ${basename(file)}`;
  const written = rehead(program, [...chain, file]);
  if (written.status === null || written.status === 2) {
    return fail(name, `status ${written.status}: ${written.stderr}`);
  }
  // A cut body stays cut (exit 3): there is no complete message to judge at its end.
  const cut = written.status === 3;
  const bytes = written.stdout;
  const read = rehead(program, ['--json'], bytes);
  const messages = read.stdout.toString('utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  let at = 0;
  for (const [index, message] of messages.entries()) {
    if (cut && index === messages.length - 1) {
      at = bytes.length;
      break;
    }
    const found = difference(bytes.subarray(at), message, index === messages.length - 1);
    if (found.text !== undefined) {
      return fail(name, `message ${index + 1}: ${found.text}\n${JSON.stringify(bytes.subarray(at, at + 400).toString('latin1'))}`);
    }
    at += found.used;
  }
  if (at !== bytes.length && !cut) return fail(name, `${bytes.length - at} bytes after the last message`);
  ++tally.passed;
}

const [program, ...files] = process.argv.slice(2);
for (const file of files) {
  const why = EXCEPTIONS[basename(file).replace(/\.(out|wire)$/, '')];
  if (why) {
    console.log(`left out: ${basename(file)}: ${why}`);
    continue;
  }
  for (const chain of CHAINS) judge(program, file, chain);
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed ? 1 : 0;
