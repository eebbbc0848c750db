import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type DockerHelper, linkDockerHelper } from '../support/docker-helper.ts';
import { entryJson, type Outcome, type Row, rows } from '../support/docker-rows/rows.ts';
import { buildGo, goPath, whyNoGo } from '../support/go.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { jsonLines } from '../support/json-lines.ts';
import { baseEnvironment, run } from '../support/processes.ts';
import { mustBeGood } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** What docker-credential-helpers’ own code made of each row: kept here, so that Lanyard is compared where no Go is. */
const goldenFile = join(import.meta.dirname, '..', 'support', 'docker-rows', 'reference.json');
const golden = () => JSON.parse(readFileSync(goldenFile, 'utf8')) as Record<string, Outcome>;

let home: TestHome;
let agent: TestAgent;
let helper: DockerHelper;
beforeAll(async () => {
  home = makeHome();
  home.writeConfig({ version: 1 });
  helper = linkDockerHelper(home);
  agent = await startAgent({ home, passphrase: 'of docker’s own code' });
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
});

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
  it('has a table that names each row once', () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(Object.keys(golden())).toEqual([...new Set(rows.map(({ name }) => name))]);
    expect(rows).toHaveLength(Object.keys(golden()).length);
  });

  it.each(rows)('$name: as the reference, or otherwise for a reason', async (row) => {
    const reference = golden()[row.name] ?? expect.unreachable();
    const program = join(helper.folder, 'docker-credential-lanyard');
    const ours = await outcomeOf(row, { program, env: home.env });
    if (row.differs) {
      expect(ours, row.differs.why).toEqual({ ...reference, ...row.differs.ours });
      expect(ours, 'it does not differ').not.toEqual(reference);
    } else {
      expect(ours).toEqual(reference);
    }
  });
});

const why = whyNoGo();

describe('docker-credential-helpers itself', unless(why), () => {
  it('still answers as is kept here for comparison', { timeout: 700_000 }, async () => {
    const home = makeHome();
    try {
      const program = await buildGo(goPath(), 'docker-reference');
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

interface Answer {
  error?: string;
  entry?: Record<string, string>;
  entries?: Record<string, Record<string, string>>;
}

/** docker’s own reading of config.json, and its own calls of the helper (github.com/docker/cli, cli/config). */
describe('docker', unless(why), () => {
  let program: string;
  let config: string;

  beforeAll(async () => {
    program = await buildGo(goPath(), 'docker-client');
    config = join(home.outside, 'docker');
    mkdirSync(config);
    writeFileSync(join(config, 'config.json'), JSON.stringify({ credsStore: 'lanyard' }));
  }, 700_000);

  async function docker(...orders: object[]): Promise<Answer[]> {
    const path = [helper.folder, baseEnvironment()['PATH']].join(delimiter);
    const env = { ...home.env, PATH: path, DOCKER_CONFIG: config };
    const done = await run(program, [], {
      env,
      input: orders.map((each) => `${JSON.stringify(each)}\n`).join(''),
    });
    mustBeGood(done);
    return jsonLines(done.stdout);
  }

  const hub = 'https://index.docker.io/v1/';

  test('logs in to Docker Hub and to another registry, finds both again, and logs out', async () => {
    const ghcr = { serveraddress: 'ghcr.io', username: 'bob', password: 'a&b <c>' };
    expect(
      await docker(
        { do: 'get', server: 'ghcr.io' },
        { do: 'store', server: hub, entry: { serveraddress: hub, username: 'alice', password: 'pass' } },
        { do: 'store', server: 'ghcr.io', entry: ghcr },
        { do: 'get', server: hub },
        { do: 'get', server: 'ghcr.io' },
      ),
    ).toEqual([
      { entry: {} },
      {},
      {},
      { entry: { serveraddress: hub, username: 'alice', password: 'pass' } },
      { entry: ghcr },
    ]);
    // podman and skopeo ask for it so.
    expect(await helper.get('docker.io')).toBe('alice:pass');
    expect(readFileSync(join(config, 'config.json'), 'utf8')).not.toMatch(/pass|a&b/);
    const [all] = await docker({ do: 'all' });
    expect(all?.entries).toMatchObject({
      [hub]: { username: 'alice', password: 'pass' },
      'ghcr.io': { username: 'bob', password: 'a&b <c>' },
    });
    // A logout erases each spelling of a server.
    expect(
      await docker(
        { do: 'erase', server: 'ghcr.io' },
        { do: 'erase', server: 'http://ghcr.io' },
        { do: 'erase', server: 'https://ghcr.io' },
        { do: 'erase', server: hub },
        { do: 'all' },
      ),
    ).toEqual([{}, {}, {}, {}, {}]);
    expect(await helper.get('docker.io')).toBeNull();
  });

  test('keeps an identity token as one', async () => {
    const entry = { serveraddress: 'quay.io', username: 'alice', identitytoken: 'eyJ.token' };
    const [, found] = await docker(
      { do: 'store', server: 'quay.io', entry },
      { do: 'get', server: 'quay.io' },
    );
    expect(found?.entry).toMatchObject({ identitytoken: 'eyJ.token' });
    expect(found?.entry).not.toHaveProperty('password');
    expect(await helper.get('quay.io')).toBe('<token>:eyJ.token');
    await docker({ do: 'erase', server: 'quay.io' });
  });

  test('finds after an installation what it found before, moved or not', async () => {
    const file = join(config, 'config.json');
    const before = readFileSync(file);
    const auth = (text: string, encoding: BufferEncoding = 'utf8') =>
      Buffer.from(text, encoding).toString('base64');
    const auths = {
      'latin.example.com': { auth: auth('robot:p\xe4ss', 'latin1') },
      'lines.example.com': { auth: auth(`robot:${'7'.repeat(90)}`).replace(/.{76}/, '$&\n') },
      'zeros.example.com': { auth: auth('robot:\0p\0\0') },
      'https://old.example.com/v1/': { auth: auth('old:p') },
      'http://open.example.com:5000': { auth: auth('open:p') },
      'https://twice.example.com': { auth: auth('second:p') },
      'twice.example.com': { auth: auth('first:p') },
      'https://u@named.example.com': { auth: auth('named:p') },
    };
    const servers = ['latin', 'lines', 'zeros', 'old', 'open', 'twice', 'named'].map((name) =>
      name === 'open' ? 'open.example.com:5000' : `${name}.example.com`,
    );
    const logins = async () =>
      (await docker(...servers.map((server) => ({ do: 'get', server })))).map(({ entry, error }) => [
        entry?.['username'],
        entry?.['password'],
        error,
      ]);
    writeFileSync(file, JSON.stringify({ auths }));
    const found = await logins();
    expect(found.map(([userName]) => userName)).not.toContain(undefined);
    const path = [helper.folder, baseEnvironment()['PATH']].join(delimiter);
    mustBeGood(await home.lanyard(['docker', 'install'], { env: { DOCKER_CONFIG: config, PATH: path } }));
    expect(readFileSync(file, 'utf8')).toContain('"credsStore"');
    expect(await logins()).toEqual(found);
    mustBeGood(await home.lanyard(['docker', 'undo'], { env: { DOCKER_CONFIG: config, PATH: path } }));
    writeFileSync(file, before);
  });

  test('shows the line that says why, where Lanyard is locked', async () => {
    const entry = { serveraddress: 'ghcr.io', username: 'a', password: 'b' };
    // One without an entry is not found: public images can be pulled.
    await docker({ do: 'store', server: 'ghcr.io', entry });
    mustBeGood(await home.lanyard(['lock']));
    const answers = await docker({ do: 'get', server: 'ghcr.io' }, { do: 'store', server: 'ghcr.io', entry });
    for (const { error } of answers) {
      expect(error).toMatch(
        /^error (getting|storing) credentials - err: exit status 1, out: `lanyard: .*lanyard unlock.*`$/,
      );
    }
  });
});
