// Judges of the HAR side.
//
//   node tests/judge/har.mjs PROGRAM [--har FILE...] [--http FILE...]
//
// Every HAR goes to raw HTTP; node's HTTP parser (llhttp) must take every message of it, responses and requests.
// Every raw stream goes to HAR; har-validator (npm) must call it HAR 1.2. It is looked for in NODE_MODULES and in
// tests/node_modules; without it that part is skipped.
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import {existsSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

process.removeAllListeners('warning');
process.on('warning', () => {});
const {HTTPParser} = process.binding('http_parser');

const tally = {passed: 0, failed: 0, skipped: 0};

function check(name, holds, text = '') {
  if (holds) {
    ++tally.passed;
    return;
  }
  ++tally.failed;
  console.log(`FAILED ${name}\n  ${String(text).slice(0, 600).replaceAll('\n', '\n  ')}`);
}

function rehead(program, args) {
  return spawnSync(program, args, {maxBuffer: 1 << 29, timeout: 120000});
}

// What llhttp reads in a stream of responses or requests that stand one behind the other.
function parse(stream, type) {
  const messages = [];
  let collected = [];
  const parser = new HTTPParser();
  parser[HTTPParser.kOnHeaders | 0] = (headers) => collected.push(...headers);
  parser[HTTPParser.kOnHeadersComplete | 0] = (major, minor, headers) => {
    messages.push(pairs(headers ?? collected));
    collected = [];
    return 0;
  };
  parser[HTTPParser.kOnBody | 0] = () => {};
  parser[HTTPParser.kOnMessageComplete | 0] = () => {};
  parser.initialize(type, {}, 1 << 24);
  const used = parser.execute(stream);
  return {messages, error: used instanceof Error ? used : null};
}

function pairs(flat) {
  const list = [];
  for (let i = 0; i < flat.length; i += 2) list.push([flat[i], flat[i + 1]]);
  return list;
}

function judgeHar(program, file) {
  const name = basename(file);
  for (const side of ['response', 'request']) {
    // Behind "Connection: close" llhttp takes nothing more.
    const raw = rehead(program, ['remove', 'connection,upgrade', '-t', 'http', '-s', side, file]);
    check(`${name}: -t http -s ${side} exits 0, 3 or 4`, [0, 3, 4].includes(raw.status), raw.stderr);
    if (raw.stdout.length === 0) continue;
    const type = side === 'response' ? HTTPParser.RESPONSE : HTTPParser.REQUEST;
    const {messages, error} = parse(raw.stdout, type);
    const names = messages.flat().map(([key]) => key);
    const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
    check(`${name}: node takes every ${side}`, error === null && messages.length > 0, `${error?.code} ${error?.reason}`);
    check(`${name}: names are tokens, no value became a field`,
          names.every((key) => token.test(key) && key !== 'X-Injected'));
  }
}

function findValidator() {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [process.env.NODE_MODULES, join(here, '..', 'node_modules')]) {
    if (folder && existsSync(join(folder, 'har-validator'))) {
      return createRequire(join(folder, 'x.js'))('har-validator');
    }
  }
  return null;
}

async function judgeHttp(program, validator, file) {
  const name = basename(file);
  const har = rehead(program, ['-t', 'har', file]);
  if (har.status === 3 && har.stdout.length === 0) return;  // refused before anything was written
  let document;
  try {
    document = JSON.parse(har.stdout.toString());
  } catch (error) {
    check(`${name}: -t har is JSON`, false, error);
    return;
  }
  check(`${name}: -t har is JSON`, true);
  if (!validator) return;
  try {
    await validator.har(document);
    check(`${name}: -t har is HAR 1.2`, true);
  } catch (error) {
    check(`${name}: -t har is HAR 1.2`, false, JSON.stringify(error.errors?.slice(0, 3)) + har.stdout.toString());
  }
}

const [program, ...rest] = process.argv.slice(2);
const validator = findValidator();
if (!validator) {
  ++tally.skipped;
  console.log('skipped: har-validator as judge of our HAR: npm package har-validator not found (NODE_MODULES)');
}
let judge = judgeHar;
for (const word of rest) {
  if (word === '--har') judge = judgeHar;
  else if (word === '--http') judge = (p, file) => judgeHttp(p, validator, file);
  else await judge(program, word);
}
const skipped = tally.skipped ? `, ${tally.skipped} skipped` : '';
console.log(`${tally.passed} passed, ${tally.failed} failed${skipped}`);
process.exit(tally.failed ? 1 : 0);
