import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../main/base/secret.ts';
import { openVault } from '../../main/vault/index.ts';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { filesBelow, findCanaries } from '../support/canary.ts';
import { type DockerHelper, linkDockerHelper } from '../support/docker-helper.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { jsonLines } from '../support/json-lines.ts';
import { isLong } from '../support/long.ts';
import { mustBeGood } from '../support/stage.ts';
import { seededRandom } from '../support/storm-random.ts';
import { dependencies } from '../support/vault-parts.ts';

/** docker’s credential helper protocol with the built helper and broker: what `docker login` stores. */
const passphrase = 'of the stored entries';

let home: TestHome;
let agent: TestAgent;
let docker: DockerHelper;

beforeAll(async () => {
  home = makeHome();
  home.writeConfig({ version: 1 });
  docker = linkDockerHelper(home);
  agent = await startAgent({ home, passphrase });
});
afterAll(async () => {
  await agent?.dispose();
  home.dispose();
});

/** The vault’s files, read without a broker. */
async function storedIn(generation: 'current' | 'previous'): Promise<Record<string, string>> {
  if (generation === 'previous') {
    writeFileSync(home.file('vault'), 'damaged');
  }
  const opener = { passphrase: new Secret(passphrase) };
  const vault = await openVault(dependencies(home.path, opener));
  try {
    if (generation === 'previous') {
      expect(await vault.restorePrevious(opener)).toEqual({ ok: true });
    }
    const entries = Object.entries(vault.read().registryLogins);
    return Object.fromEntries(entries.map(([key, { secret }]) => [key, secret.reveal()]));
  } finally {
    await vault.dispose();
  }
}

describe('stored entries', () => {
  test('outlive the broker; what is erased is in neither generation of the vault', async () => {
    const long = 'x'.repeat(60_000);
    for (const [server, secret] of [
      ['ghcr.io', 'gone'],
      ['https://index.docker.io/v1/', 'kept'],
      ['quay.io', long],
    ] as const) {
      mustBeGood(await docker.store(server, 'alice', secret));
    }
    expect(await docker.get('docker.io')).toBe('alice:kept');
    mustBeGood(await docker.call('erase', 'ghcr.io'));
    await agent.stop();
    const left = { 'docker.io': 'kept', 'quay.io': long };
    expect(await storedIn('current')).toEqual(left);
    expect(await storedIn('previous')).toEqual(left);
    agent = await startAgent({ home, passphrase });
    expect(await docker.get('registry-1.docker.io')).toBe('alice:kept');
    expect(await docker.get('quay.io')).toBe(`alice:${long}`);
    expect(await docker.get('ghcr.io')).toBeNull();
    mustBeGood(await docker.call('erase', 'quay.io'));
  });

  test('stored at once are all stored', async () => {
    const servers = Array.from({ length: 24 }, (_, index) => `r${index}.example.com`);
    await Promise.all(servers.map(async (server) => mustBeGood(await docker.store(server, 'u', server))));
    expect(Object.keys(JSON.parse((await docker.call('list')).stdout)).sort()).toEqual(
      ['https://index.docker.io/v1/', ...servers].sort(),
    );
    await Promise.all(
      servers.map(async (server) => {
        expect(await docker.get(server)).toBe(`u:${server}`);
        mustBeGood(await docker.call('erase', server));
      }),
    );
  });

  test('are on record when they leave, with the program that asked, and their secrets nowhere but in the vault', async () => {
    const secret = `stored-${randomBytes(18).toString('hex')}`;
    mustBeGood(await docker.store('canary.example.com', 'alice', secret));
    expect(await docker.get('canary.example.com')).toBe(`alice:${secret}`);
    const { stdout } = await home.lanyard(['audit', '--json', '--since', '5m']);
    const events = jsonLines(stdout);
    const target = { kind: 'registry-login', name: 'canary.example.com' };
    expect(events.filter((event) => event.target?.name === target.name)).toMatchObject([
      { kind: 'call', door: 'docker', account: null, cluster: null, target, outcome: 'handedOut' },
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'change', what: 'registry-login.store', name: target.name }),
    );
    expect((await home.lanyard(['audit'])).stdout).toMatch(
      / credential helper +stored entry canary\.example\.com +- +issued /,
    );
    expect(findCanaries([{ name: 'stored', value: secret }], filesBelow(home.outside))).toEqual([]);
    expect(agent.log()).not.toContain(secret);
    mustBeGood(await docker.call('erase', 'canary.example.com'));
  });
});

describe('without an open vault', () => {
  test('an entry is refused in one line that says what to do, and nothing is changed; other servers have none', async () => {
    mustBeGood(await home.lanyard(['lock']));
    for (const action of ['get', 'erase', 'list']) {
      expect(await docker.call(action, 'docker.io')).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^lanyard: [^\n]*lanyard unlock[^\n]*\n$/),
        stderr: '',
      });
    }
    expect(await docker.store('ghcr.io', 'a', 'b')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^lanyard: [^\n]*lanyard unlock[^\n]*\n$/),
    });
    const { stdout } = await home.lanyard(['audit', '--json', '--since', '5m']);
    expect(stdout).toMatch(/"door":"docker".*"outcome":"refused"/);
    expect(await docker.get('without-entry.example.com')).toBeNull();
    await agent.stop();
    agent = await startAgent({ home, passphrase });
    expect(await docker.get('docker.io')).toBe('alice:kept');
    expect(await docker.get('ghcr.io')).toBeNull();
  });
});

/** (rule: nothing-lost) */
const rounds = isLong ? 60 : 3;
const seed = Number(process.env['LANYARD_SEED']);

test(`killed at any moment of many stores and erases: what was answered is so, and all else is whole (LANYARD_SEED=${seed})`, {
  timeout: 1_800_000,
}, async () => {
  const random = seededRandom(seed);
  const servers = Array.from({ length: 8 }, (_, index) => `k${index}.example.com`);
  /** What may be there: the last that was answered, and what was asked for after it. */
  const possible = new Map(servers.map((server) => [server, new Set<string | null>([null])]));
  let answered = 0;
  for (let round = 0; round < rounds; round++) {
    let killed = false;
    const asking = servers.map(async (server) => {
      for (let number = 0; !killed; number++) {
        const value = random() < 0.3 ? null : `u:${round}.${number}`;
        const wanted =
          value === null ? docker.call('erase', server) : docker.store(server, 'u', value.slice(2));
        const maybe = possible.get(server) ?? expect.unreachable();
        maybe.add(value);
        const { code, stdout } = await wanted;
        if (code === 0) {
          possible.set(server, new Set([value]));
          answered += 1;
        } else {
          expect(stdout).toMatch(/no agent|ended the connection|can't talk|is being locked/);
        }
      }
    });
    await delay(random() * 250);
    const { signal } = await agent.kill();
    killed = true;
    expect(signal).toBe('SIGKILL');
    await Promise.all(asking);
    agent = await startAgent({ home, passphrase });
    for (const server of servers) {
      const found = await docker.get(server);
      expect([...(possible.get(server) ?? [])], `${server} in round ${round}`).toContain(found);
      possible.set(server, new Set([found]));
    }
    expect(await docker.get('docker.io')).toBe('alice:kept');
  }
  expect(answered).toBeGreaterThan(rounds);
});
