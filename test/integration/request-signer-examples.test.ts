import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildGo, findGo } from '../support/go.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';

/** docs/examples/request-signer: the examples keep to docs/request-signers.md, and the script finds programs that don’t. */
const examples = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'request-signer');
const go = findGo();
const why = go.ok ? (process.env['LANYARD_REAL'] === '1' ? null : 'only with --long') : go.why;
if (why !== null) {
  process.stderr.write(`skipped: the example of a request signer in Go: ${why}\n`);
}

let home: TestHome;
beforeAll(() => {
  home = makeHome();
});
afterAll(() => home?.dispose());

const check = (command: string[], env: Record<string, string> = { SIGNING_KEY: 'test' }) =>
  run(process.execPath, [join(examples, 'conformance.mjs'), ...command], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    timeoutMilliseconds: 120_000,
  });

describe('an example', () => {
  test.each([
    ['Python', ['python3', join(examples, 'signer.py')]],
    ['JavaScript', [process.execPath, join(examples, 'signer.mjs')]],
  ])('in %s is as the reference says', async (_, command) => {
    const { code, stdout } = await check(command);
    expect(stdout).not.toContain('FAILED');
    expect(code).toBe(0);
  });

  test.skipIf(why !== null)('in Go is as the reference says', async () => {
    const program = await buildGo(go.ok ? go.path : '', 'example-request-signer', {
      module: examples,
      program: 'main.go',
    });
    const { code, stdout } = await check([program]);
    expect(stdout).not.toContain('FAILED');
    expect(code).toBe(0);
  });

  test('says that it has no key', async () => {
    const { code, stdout } = await check([process.execPath, join(examples, 'signer.mjs')], {});
    expect(stdout).toContain('it refused: SIGNING_KEY is not set');
    expect(code).toBe(1);
  });
});

/** A program that is right but for one thing. `answer` is the body of a function of `request` and `line`. */
function programThat(answer: string, more = ''): string[] {
  const script = home.write(
    `signer-${Math.abs(hash(answer + more))}.mjs`,
    `import { createInterface } from 'node:readline';
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
const good = (request) => say({ id: request.id, headers: [['X-Signature', 'a']] });
${more}
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  ${answer}
}
`,
  );
  return [process.execPath, script];
}

function hash(text: string): number {
  return [...text].reduce((sum, each) => (sum * 31 + (each.codePointAt(0) ?? 0)) | 0, 7);
}

describe('a program is found that', () => {
  test.each([
    ['is right', 'good(request);', '', null],
    [
      'prints something else',
      'console.log("signing"); good(request);',
      '',
      'a line that isn’t JSON: signing',
    ],
    ['greets', 'good(request);', 'console.log("ready");', 'a line that isn’t JSON: ready'],
    ['forgets the id', 'say({ headers: [] });', '', 'an answer to no request'],
    ['answers twice', 'good(request); good(request);', '', /an answer to no request|more lines than/],
    ['has neither', 'say({ id: request.id });', '', 'exactly one of headers and error'],
    ['gives an object', 'say({ id: request.id, headers: { a: "b" } });', '', 'headers that are no list'],
    [
      'gives a number',
      'say({ id: request.id, headers: [["a", 1]] });',
      '',
      'a header that is no pair of texts',
    ],
    [
      'breaks a value',
      'say({ id: request.id, headers: [["a", "b\\nc"]] });',
      '',
      'a value that HTTP can’t carry',
    ],
    [
      'breaks a name',
      'say({ id: request.id, headers: [["a b", "c"]] });',
      '',
      'a name that HTTP can’t carry',
    ],
    [
      'sets a header of the connection',
      'say({ id: request.id, headers: [["Connection", "close"]] });',
      '',
      'a header that Lanyard refuses: Connection',
    ],
    [
      'says who it is for',
      'say({ id: request.id, headers: [["X-Remote-User", "root"]] });',
      '',
      'a header that Lanyard refuses: X-Remote-User',
    ],
    ['dies', 'process.exit(3);', '', 'it ended before it answered (exit code 3)'],
    [
      'dies of text',
      'if (/[^ -~]/.test(request.path)) process.exit(1); good(request);',
      '',
      'FAILED  paths and headers of any text are taken',
    ],
    [
      'dies of a long line',
      'if (line.length > 65536) process.exit(1); good(request);',
      '',
      'FAILED  a line of 300 KiB is taken',
    ],
    [
      'is strict about keys',
      'if ("later" in request) throw new Error("unknown key"); good(request);',
      '',
      /FAILED {2}keys that it doesn’t know are ignored(.|\n)*its stderr ends with/,
    ],
    [
      'ends after a refusal',
      'if (request.version !== 1) { say({ id: request.id, error: "no" }); process.exit(1); } good(request);',
      '',
      'FAILED  it goes on after it has refused',
    ],
    ['writes without end', 'process.stdout.write("x".repeat(70000));', '', 'a line of more than 64 KiB'],
    [
      'rounds ids',
      'say({ id: Math.fround(request.id), headers: [] });',
      '',
      'FAILED  ids are large and in no order',
    ],
    [
      'fails at the end',
      'good(request);',
      'process.stdin.on("end", () => process.exit(7));',
      'it ended with exit code 7, not 0',
    ],
  ])('%s', async (_, answer, more, said) => {
    const { code, stdout } = await check(programThat(answer, more));
    if (said === null) {
      expect(stdout).toMatch(/All is well\.\n$/);
    } else {
      expect(stdout).toMatch(said);
    }
    expect(code).toBe(said === null ? 0 : 1);
  });

  test('isn’t there', async () => {
    expect(await check(['/no/such/program'])).toMatchObject({ code: 2 });
    expect(await check([])).toMatchObject({ code: 2 });
  });
});
