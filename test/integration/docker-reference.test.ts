import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { entryJson, type Outcome, type Row, rows } from '../support/docker-rows/rows.ts';
import { buildGo, findGo } from '../support/go.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';

/** What docker-credential-helpers’ own code made of each row: kept here, so that Lanyard is compared where no Go is. */
const goldenFile = join(import.meta.dirname, '..', 'support', 'docker-rows', 'reference.json');
const golden = () => JSON.parse(readFileSync(goldenFile, 'utf8')) as Record<string, Outcome>;

interface Helper {
  program: string;
  env: Readonly<Record<string, string>>;
}

async function call({ program, env }: Helper, args: readonly string[], input: string | Uint8Array = '') {
  const { code, stdout, stderr } = await run(program, args, { env, input });
  expect(stderr).toBe('');
  return { code: code ?? -1, stdout };
}

/** A row of the table, from nothing stored to what is listed after it. */
async function outcomeOf(row: Row, helper: Helper): Promise<Outcome> {
  for (const entry of row.stored ?? []) {
    expect(await call(helper, ['store'], entryJson(...entry)), row.name).toEqual({ code: 0, stdout: '' });
  }
  const ended = await call(helper, row.args, row.stdin);
  const { stdout: after } = await call(helper, ['list']);
  for (const serverUrl of Object.keys(JSON.parse(after))) {
    expect(await call(helper, ['erase'], serverUrl), row.name).toEqual({ code: 0, stdout: '' });
  }
  return { ...ended, after };
}

describe('docker-credential-lanyard', () => {
  let home: TestHome;
  let agent: TestAgent;
  let helper: Helper;
  beforeAll(async () => {
    home = makeHome();
    home.writeConfig({ version: 1 });
    agent = await startAgent({ home, passphrase: 'of the table of docker' });
    const program = join(home.outside, 'docker-credential-lanyard');
    symlinkSync(builtHelper, program);
    helper = { program, env: home.env };
  });
  afterAll(async () => {
    await agent?.dispose();
    home.dispose();
  });

  it('has a table that names each row once', () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(Object.keys(golden())).toEqual([...new Set(rows.map(({ name }) => name))]);
    expect(rows).toHaveLength(Object.keys(golden()).length);
  });

  it.each(rows)('$name: as the reference, or otherwise for a reason', async (row) => {
    const reference = golden()[row.name] ?? expect.unreachable();
    const ours = await outcomeOf(row, helper);
    if (row.differs) {
      expect(ours, row.differs.why).toEqual({ ...reference, ...row.differs.ours });
      expect(ours, 'it does not differ').not.toEqual(reference);
    } else {
      expect(ours).toEqual(reference);
    }
  });
});

const go = findGo();
const why = go.ok ? (process.env['LANYARD_REAL'] === '1' ? null : 'only with --long') : go.why;
if (why !== null) {
  process.stderr.write(`skipped: docker-credential-helpers’ own code beside its kept answers: ${why}\n`);
}

describe.skipIf(why !== null)('docker-credential-helpers itself', () => {
  it('still answers as is kept here for comparison', { timeout: 700_000 }, async () => {
    const home = makeHome();
    try {
      const program = await buildGo(go.ok ? go.path : '', 'docker-reference');
      const store = join(home.outside, 'reference.json');
      const helper = { program, env: { REFERENCE_STORE: store } };
      const outcomes: Record<string, Outcome> = {};
      for (const row of rows) {
        rmSync(store, { force: true });
        outcomes[row.name] = await outcomeOf(row, helper);
      }
      if (process.env['LANYARD_WRITE_GOLDEN'] === '1') {
        writeFileSync(goldenFile, `${JSON.stringify(outcomes, null, 1)}\n`);
      }
      expect(outcomes).toEqual(golden());
    } finally {
      home.dispose();
    }
  });
});
