// A browser replays our HAR.
//
//   node tests/judge/replay.mjs PROGRAM
//
// Raw HTTP and a HAR that a chain went over become HAR files; playwright-core (npm) answers the requests of a real
// Chromium from them (routeFromHAR), and what the page then holds is compared. playwright-core is looked for in
// NODE_MODULES and tests/node_modules, the browser in CHROMIUM and PATH; without them this is skipped.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const tally = {passed: 0, failed: 0};

function check(name, holds, text = '') {
  if (holds) return void ++tally.passed;
  ++tally.failed;
  console.log(`FAILED ${name}\n  ${String(text).slice(0, 600).replaceAll('\n', '\n  ')}`);
}

function skip(why) {
  console.log(`skipped: replay of our HAR in a browser: ${why}`);
  console.log('0 passed, 0 failed, 1 skipped');
  process.exit(0);
}

function findPlaywright() {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [process.env.NODE_MODULES, join(here, '..', 'node_modules')]) {
    if (folder && existsSync(join(folder, 'playwright-core'))) {
      return createRequire(join(folder, 'x.js'))('playwright-core');
    }
  }
  return null;
}

function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ['chromium', 'chromium-headless-shell', 'chromium-browser', 'google-chrome']) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      if (existsSync(join(folder, name))) return join(folder, name);
    }
  }
  return null;
}

const program = process.argv[2];
const playwright = findPlaywright();
if (!playwright) skip('npm package playwright-core not found (NODE_MODULES)');
const executablePath = findBrowser();
if (!executablePath) skip('no Chromium found (CHROMIUM)');

function rehead(args, input) {
  const done = spawnSync(program, args, {input, maxBuffer: 1 << 28, timeout: 60000});
  check(`rehead ${args.join(' ')}: exit 0`, done.status === 0, done.stderr);
  return done.stdout;
}

// A picture, text beyond ASCII, chunks, a redirect, a POST: what a recorder meets.
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const page = '<!doctype html><meta charset=utf-8><title>caf\u00e9</title><img id=i src=/p.png>' +
  '<p id=t>\u{1F600} "\\</p>';
const exchanges = [
  ['GET /old', '', '302 Found', 'Location: http://a.example/\r\nContent-Length: 0', ''],
  ['GET /', '', '200 OK', 'Content-Type: text/html; charset=utf-8\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2; Path=/\r\n' +
    `Content-Length: ${Buffer.byteLength(page)}`, page],
  ['GET /p.png', '', '200 OK', `Content-Type: image/png\r\nContent-Length: ${pixel.length}`, pixel],
  ['GET /data', '', '200 OK', 'Content-Type: application/json\r\nTransfer-Encoding: chunked',
    '5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n'],
  ['POST /api', 'hello', '201 Created', 'Content-Length: 4', 'made'],
];
const stream = Buffer.concat(exchanges.flatMap(([line, sent, status, head, body]) => [
  `${line} HTTP/1.1\r\nHost: a.example\r\n` + (sent ? `Content-Type: text/plain\r\nContent-Length: ${sent.length}\r\n` : ''),
  `\r\n${sent}HTTP/1.1 ${status}\r\n${head}\r\n\r\n`, body].map((part) => Buffer.from(part))));

const folder = mkdtempSync(join(tmpdir(), 'rehead-test-'));
const browser = await playwright.chromium.launch({executablePath, args: ['--no-sandbox']});

async function replay(name, har, judge) {
  const path = join(folder, 'replay.har');
  writeFileSync(path, har);
  const context = await browser.newContext();
  try {
    await context.routeFromHAR(path, {notFound: 'abort'});
    await judge(await context.newPage());
  } catch (error) {
    check(`${name}: replayed`, false, error);
  }
  await context.close();
}

async function judgePage(name, tab) {
  await tab.goto('http://a.example/');
  check(`${name}: title`, await tab.title() === 'caf\u00e9', await tab.title());
  check(`${name}: text`, await tab.textContent('#t') === '\u{1F600} "\\', await tab.textContent('#t'));
  check(`${name}: picture`, await tab.evaluate('document.querySelector("#i").naturalWidth') === 1);
  const data = await tab.evaluate('fetch("/data").then(r => r.json())');
  check(`${name}: chunked JSON`, data?.a === 1, JSON.stringify(data));
  const made = await tab.evaluate(
    'fetch("/api", {method: "POST", body: "hello"}).then(r => r.status + " " + r.headers.get("x-law"))');
  check(`${name}: POST`, made.startsWith('201'), made);
  return made;
}

const har = rehead(['-t', 'har', '-f', 'http'], stream);
await replay('raw to HAR', har, async (tab) => {
  await judgePage('raw to HAR', tab);
  await tab.goto('http://a.example/old');
  check('raw to HAR: redirect', tab.url() === 'http://a.example/', tab.url());
});
const edited = rehead(['set', 'X-Law: one', 'then', 'gzip', 'then', 'merge-cookies', '-f', 'har'], har);
await replay('edited HAR', edited, async (tab) => {
  const made = await judgePage('edited HAR', tab);
  check('edited HAR: the new field', made === '201 one', made);
});
const around = rehead(['-f', 'ndjson', '-t', 'har'], rehead(['--json'], edited));
await replay('HAR to NDJSON to HAR', around, (tab) => judgePage('HAR to NDJSON to HAR', tab));

await browser.close();
rmSync(folder, {recursive: true});
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed ? 1 : 0);
