import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildGo, findGo } from '../support/go.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { whyNotLong } from '../support/long.ts';
import { run } from '../support/processes.ts';
import { unless } from '../support/unless.ts';

/** docs/examples/request-signer: the examples keep to docs/request-signers.md, and the script finds programs that don’t. */
const examples = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'request-signer');
const go = findGo();
const why = go.ok ? whyNotLong : go.why;

let home: TestHome;
beforeAll(() => {
  home = makeHome();
});
afterAll(() => home?.dispose());

const check = (command: string[], env: Record<string, string> = { SIGNING_KEY: 'test' }) =>
  run(process.execPath, [join(examples, 'conformance.mjs'), ...command], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
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

  test('in Go is as the reference says', unless(why), async () => {
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

/** What a program does wrong in one case of the script: instead of its answer, or (`more`) as it starts. */
interface Wrong {
  /** The body of a function of `request` and `line`. */
  answer?: string;
  more?: string;
  /** What the script says of that case. */
  said: string | RegExp;
}

/** The script’s cases are in this order, and each starts the program once. */
const rounds: readonly Record<string, Wrong | null>[] = [
  {
    'a request is answered': { answer: 'console.log("signing"); good();', said: 'isn’t JSON: signing' },
    'a body’s hash is taken': { more: 'console.log("ready");', said: 'a line that isn’t JSON: ready' },
    'paths and headers of any text are taken': {
      answer: 'if (/[^ -~]/.test(request.path)) process.exit(1); good();',
      said: 'it ended before it answered (exit code 1)',
    },
    'repeated headers and none at all are taken': {
      answer: 'say({ headers: [] });',
      said: 'an answer to no request',
    },
    'a line of 300 KiB is taken': {
      answer: 'if (line.length > 65536) process.exit(3); good();',
      said: 'it ended before it answered (exit code 3)',
    },
    'keys that it doesn’t know are ignored': {
      answer: 'if ("later" in request) throw new Error("unknown key"); good();',
      said: /it ended before it answered(.|\n)*its stderr ends with/,
    },
    'many requests are under way at once': {
      answer: 'good(); good();',
      said: /an answer to no request|more lines than/,
    },
    'ids are large and in no order': {
      answer: 'say({ id: Math.fround(request.id), headers: [] });',
      said: 'an answer to no request',
    },
    'a request comes in pieces': {
      answer: 'say({ id: request.id });',
      said: 'exactly one of headers and error',
    },
    'it goes on after it has refused': {
      answer: 'say({ id: request.id, error: "no" }); process.exit(1);',
      said: 'it ended before it answered (exit code 1)',
    },
    'it ends when its standard input does': {
      more: 'process.stdin.on("end", () => process.exit(7));',
      said: 'it ended with exit code 7, not 0',
    },
  },
  {
    'a request is answered': gives('{ a: "b" }', 'headers that are no list'),
    'a body’s hash is taken': gives('[["a", 1]]', 'a header that is no pair of texts'),
    'paths and headers of any text are taken': gives('[["a", "b\\nc"]]', 'a value that HTTP can’t carry'),
    'repeated headers and none at all are taken': gives('[["a b", "c"]]', 'a name that HTTP can’t carry'),
    'a line of 300 KiB is taken': gives('[["Connection", "close"]]', 'that Lanyard refuses: Connection'),
    'keys that it doesn’t know are ignored': gives(
      '[["X-Remote-User", "root"]]',
      'that Lanyard refuses: X-Remote-User',
    ),
    'many requests are under way at once': {
      answer: 'process.stdout.write("x".repeat(70000));',
      said: 'a line of more than 64 KiB',
    },
    'ids are large and in no order': null,
    'a request comes in pieces': null,
    'it goes on after it has refused': null,
    'it ends when its standard input does': null,
  },
];

function gives(headers: string, said: string): Wrong {
  return { answer: `say({ id: request.id, headers: ${headers} });`, said };
}

/** A program that does the next of these each time it starts; where there is none, it is right. */
function programThat(wrongs: readonly (Wrong | null)[], round: number): string[] {
  const cases = wrongs.map(
    (wrong) => `{ more() { ${wrong?.more ?? ''} }, answer(request, line) {
  const good = () => say({ id: request.id, headers: [['X-Signature', 'a']] });
  ${wrong?.answer ?? 'good();'}
} },`,
  );
  const script = home.write(
    `signer-${round}.mjs`,
    `import { appendFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
const starts = import.meta.filename + '.starts';
appendFileSync(starts, '.');
const now = [${cases.join('\n')}][statSync(starts).size - 1];
now.more();
for await (const line of createInterface({ input: process.stdin })) now.answer(JSON.parse(line), line);
`,
  );
  return [process.execPath, script];
}

describe('the script finds', () => {
  test.each([...rounds.entries()])('what a program does wrong, case by case: %i', async (at, round) => {
    const { code, stdout } = await check(programThat(Object.values(round), at));
    expect(code).toBe(1);
    const [summary, ...parts] = stdout
      .trim()
      .split(/\n(?=ok |FAILED|\d)/)
      .toReversed();
    const wrongs = Object.values(round).filter((wrong) => wrong !== null);
    expect(summary).toBe(`${wrongs.length} of ${parts.length} failed.`);
    for (const [index, [name, wrong]] of Object.entries(round).entries()) {
      const part = parts.at(-1 - index);
      expect(part).toContain(`${wrong === null ? 'ok    ' : 'FAILED'}  ${name}`);
      expect(part).toMatch(wrong?.said ?? name);
    }
  });

  test('that a program isn’t there', async () => {
    expect(await check(['/no/such/program'])).toMatchObject({ code: 2 });
    expect(await check([])).toMatchObject({ code: 2 });
  });
});
