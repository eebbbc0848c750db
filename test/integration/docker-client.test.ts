import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type DockerHelper, linkDockerHelper } from '../support/docker-helper.ts';
import { buildGo, findGo } from '../support/go.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { baseEnvironment, run } from '../support/processes.ts';
import { mustBeGood } from '../support/stage.ts';

const go = findGo();
const why = go.ok ? (process.env['LANYARD_REAL'] === '1' ? null : 'only with --long') : go.why;
if (why !== null) {
  process.stderr.write(`skipped: stored entries by docker’s own code: ${why}\n`);
}

interface Answer {
  error?: string;
  entry?: Record<string, string>;
  entries?: Record<string, Record<string, string>>;
}

/** docker’s own reading of config.json, and its own calls of the helper (github.com/docker/cli, cli/config). */
describe.skipIf(why !== null)('docker', () => {
  let home: TestHome;
  let agent: TestAgent;
  let helper: DockerHelper;
  let program: string;
  let config: string;

  beforeAll(async () => {
    program = await buildGo(go.ok ? go.path : '', 'docker-client');
    home = makeHome();
    home.writeConfig({ version: 1 });
    helper = linkDockerHelper(home);
    config = join(home.outside, 'docker');
    mkdirSync(config);
    writeFileSync(join(config, 'config.json'), JSON.stringify({ credsStore: 'lanyard' }));
    agent = await startAgent({ home, passphrase: 'of docker itself' });
  }, 700_000);
  afterAll(async () => {
    await agent?.dispose();
    home?.dispose();
  });

  async function docker(...orders: object[]): Promise<Answer[]> {
    const path = [helper.folder, baseEnvironment()['PATH']].join(delimiter);
    const env = { ...home.env, PATH: path, DOCKER_CONFIG: config };
    const done = await run(program, [], {
      env,
      input: orders.map((each) => `${JSON.stringify(each)}\n`).join(''),
    });
    mustBeGood(done);
    return done.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
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
