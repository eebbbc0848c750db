#!/usr/bin/env node
// Checks a program that signs requests for Lanyard (docs/request-signers.md): node conformance.mjs COMMAND [ARG …]
// Run it in the environment that the program needs. Exit code 0: all is well; 1: something isn't; 2: used wrongly.

import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('usage: node conformance.mjs COMMAND [ARG …]');
  process.exit(2);
}

/** Lanyard waits for 5 s where the account says nothing else, and for 10 s more for the first answer. */
const patience = 15_000;
const longestLine = 64 * 1024;

const basic = {
  version: 1,
  cluster: 'prod',
  method: 'GET',
  path: '/api/v1/namespaces/default/pods?limit=500',
  host: 'api.example.com',
  headers: [
    ['accept', 'application/json'],
    ['user-agent', 'kubectl/v1.36.2'],
  ],
  bodySha256: null,
};
const emptyBody = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Each case has a fresh program. `requests` are written at once; an answer is due for each. */
const cases = [
  { name: 'a request is answered', requests: [basic] },
  {
    name: 'a body’s hash is taken',
    requests: [{ ...basic, method: 'POST', bodySha256: emptyBody }],
  },
  {
    name: 'paths and headers of any text are taken',
    requests: [
      { ...basic, path: '/api/%E9%8D%B5/a%20b/c:d?x=%3D&x=1&x=2&y' },
      { ...basic, path: '/größe?ключ=\u{1f511}', headers: [['x-note', 'größe \u2028 \u{1f511} "\\']] },
      { ...basic, cluster: 'größe-鍵' },
    ],
  },
  {
    name: 'repeated headers and none at all are taken',
    requests: [
      {
        ...basic,
        headers: [
          ['accept', 'a'],
          ['accept', 'b'],
          ['x-empty', ''],
        ],
      },
      { ...basic, headers: [] },
    ],
  },
  {
    name: 'a line of 300 KiB is taken',
    requests: [
      { ...basic, headers: Array.from({ length: 300 }, (_, at) => [`x-header-${at}`, 'v'.repeat(1000)]) },
    ],
  },
  { name: 'keys that it doesn’t know are ignored', requests: [{ ...basic, later: { anything: [1, null] } }] },
  {
    name: 'many requests are under way at once',
    requests: Array.from({ length: 100 }, (_, at) => ({ ...basic, path: `/${at}` })),
  },
  { name: 'ids are large and in no order', requests: [basic, basic], ids: [9_007_199_254_740_991, 3] },
  { name: 'a request comes in pieces', requests: [basic], pieces: 7 },
  {
    name: 'it goes on after it has refused',
    requests: [{ ...basic, version: 999_999 }, basic],
    may: [true, false],
  },
];

let failed = 0;
for (const each of cases) {
  report(each.name, await check(each));
}
report('it ends when its standard input does', await endsWithInput());
console.log(failed === 0 ? 'All is well.' : `${failed} of ${cases.length + 1} failed.`);
process.exit(failed === 0 ? 0 : 1);

function report(name, { faults, stderr = '' }) {
  failed += faults.length > 0 ? 1 : 0;
  console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'}  ${name}`);
  for (const fault of new Set(faults)) {
    console.log(`          ${fault}`);
  }
  if (faults.length > 0 && stderr.trim() !== '') {
    console.log(`          its stderr ends with: ${stderr.trim().split('\n').at(-1)}`);
  }
}

/** `may`: for each request, whether an error is as good as headers. */
async function check({ requests, ids = requests.map((_, at) => at + 1), pieces = 1, may = [] }) {
  const program = start();
  const waiting = new Map(ids.map((id, at) => [id, may[at] ?? false]));
  const faults = [];
  const text = requests.map((request, at) => lineOf({ id: ids[at], ...request })).join('');
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += size) {
    program.child.stdin.write(bytes.subarray(at, at + size));
    // So that it reads them one by one.
    await new Promise((resolve) => setTimeout(resolve, pieces > 1 ? 20 : 0));
  }
  const limit = setTimeout(() => {
    faults.push(`no answer within ${patience / 1000} s`);
    program.child.kill('SIGKILL');
  }, patience);
  for await (const line of program.lines()) {
    if (line.fault) {
      faults.push(line.fault);
      break;
    }
    faults.push(...faultsOf(line.text, waiting));
    if (waiting.size === 0 || faults.length > 0) {
      break;
    }
  }
  clearTimeout(limit);
  if (waiting.size > 0 && faults.length === 0) {
    // Its output may end before its end is known.
    const late = setTimeout(() => program.child.kill('SIGKILL'), patience);
    await program.ended;
    clearTimeout(late);
    faults.push(`it ended before it answered (${program.ending()})`);
  }
  // What comes unasked is found, too.
  program.child.stdin.end();
  if (faults.length === 0) {
    const rest = setTimeout(() => program.child.kill('SIGKILL'), patience);
    for await (const line of program.lines()) {
      faults.push(line.fault ?? 'it wrote more lines than it had requests');
      break;
    }
    clearTimeout(rest);
  }
  program.child.kill('SIGKILL');
  return { faults, stderr: program.stderr() };
}

async function endsWithInput() {
  const program = start();
  program.child.stdin.write(lineOf({ id: 1, ...basic }));
  const limit = setTimeout(() => program.child.kill('SIGKILL'), patience);
  for await (const _ of program.lines()) {
    break;
  }
  program.child.stdin.end();
  await program.ended;
  clearTimeout(limit);
  const faults = [];
  if (program.child.signalCode === 'SIGKILL') {
    faults.push('it went on');
  } else if (program.child.exitCode !== 0) {
    faults.push(`it ended with exit code ${program.child.exitCode ?? program.child.signalCode}, not 0`);
  }
  return { faults, stderr: program.stderr() };
}

/** As Lanyard writes it: what isn’t ASCII is escaped. */
function lineOf(request) {
  const text = JSON.stringify(request);
  return `${text.replace(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

function start() {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  let held = Buffer.alloc(0);
  child.on('error', (error) => {
    console.log(`${command} can’t be started: ${error.message}`);
    process.exit(2);
  });
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-10_000);
  });
  // Not `close`: what a wrong program wrote more of may stay unread.
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const source = child.stdout[Symbol.asyncIterator]();
  async function* lines() {
    for (;;) {
      const end = held.indexOf('\n');
      if (end >= 0 && end <= longestLine) {
        const text = held.subarray(0, end).toString();
        held = held.subarray(end + 1);
        yield { text };
      } else if (held.length > longestLine) {
        yield { fault: `a line of more than ${longestLine / 1024} KiB` };
        return;
      } else {
        const { value, done } = await source.next();
        if (done) {
          if (held.length > 0) {
            yield { fault: 'its last line has no end' };
          }
          return;
        }
        held = Buffer.concat([held, value]);
      }
    }
  }
  const ending = () => `exit code ${child.exitCode ?? child.signalCode ?? 'unknown'}`;
  return { child, lines, ended, ending, stderr: () => stderr };
}

/** What is wrong with one line. Takes the request that it answers out of `waiting`. */
function faultsOf(line, waiting) {
  let answer;
  try {
    answer = JSON.parse(line);
  } catch {
    return [`a line that isn’t JSON: ${shown(line)}`];
  }
  if (typeof answer !== 'object' || answer === null || !waiting.has(answer.id)) {
    return [`an answer to no request: ${shown(line)}`];
  }
  const mayRefuse = waiting.get(answer.id);
  waiting.delete(answer.id);
  if ((answer.headers === undefined) === (answer.error === undefined)) {
    return [`an answer without exactly one of headers and error: ${shown(line)}`];
  }
  if (answer.error !== undefined) {
    if (typeof answer.error !== 'string' || answer.error.trim() === '') {
      return [`an error that is no text: ${shown(line)}`];
    }
    return mayRefuse ? [] : [`it refused: ${shown(answer.error)}`];
  }
  if (!Array.isArray(answer.headers) || answer.headers.length > 64) {
    return [`headers that are no list of at most 64: ${shown(line)}`];
  }
  return answer.headers.flatMap(headerFaults);
}

function headerFaults(header) {
  const [name, value] = Array.isArray(header) && header.length === 2 ? header : [];
  if (typeof name !== 'string' || typeof value !== 'string') {
    return [`a header that is no pair of texts: ${shown(JSON.stringify(header))}`];
  }
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name)) {
    return [`a name that HTTP can’t carry: ${shown(name)}`];
  }
  if (!/^[\t\x20-\x7e]*$/.test(value) || value !== value.trim() || value.length > 16 * 1024) {
    return [`a value that HTTP can’t carry, or of more than 16 KiB, of ${name}`];
  }
  const never =
    /^(host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|proxy-(?!authorization$).*|sec-websocket-.*|x-remote-.*|impersonate-.*)$/i;
  return never.test(name) ? [`a header that Lanyard refuses: ${name}`] : [];
}

function shown(text) {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
