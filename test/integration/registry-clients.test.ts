import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type DockerHelper, linkDockerHelper } from '../support/docker-helper.ts';
import { buildGo, findGo } from '../support/go.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { whyNotLong } from '../support/long.ts';
import { baseEnvironment, type Ended, run } from '../support/processes.ts';
import { findClients, type RegistryClient } from '../support/registry/clients.ts';
import {
  basicUser,
  type DockerRegistry,
  findDockerRegistry,
  startDockerRegistry,
} from '../support/registry/docker-registry.ts';
import { startTokenServer, type TokenServer } from '../support/registry/token-server.ts';
import { mustBeGood } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

const program = findDockerRegistry();
const why = whyNotLong ?? (program === null ? 'docker-registry is not installed' : null);
const clients = why === null ? await findClients() : [];
for (const client of clients) {
  if ('why' in client) {
    process.stderr.write(`skipped: ${client.name} at a real registry: ${client.why}\n`);
  }
}
const here = clients.flatMap((client) => ('make' in client ? [client] : []));

const password = 'canary-of-alice';
const identity = 'canary-identity';

/** Debian’s docker-registry, its real clients, and docker-credential-lanyard as `lanyard docker install` sets it up. */
describe('real clients', unless(why), () => {
  let home: TestHome;
  let agent: TestAgent;
  let helper: DockerHelper;
  let user: string;
  let tokens: TokenServer;
  const registries: Record<'basic' | 'token' | 'open' | 'named' | 'identity', DockerRegistry> = {} as never;

  const lanyard = (...args: string[]) =>
    run(builtHelper, args, { env: { ...home.env, PATH: `${helper.folder}:${baseEnvironment()['PATH']}` } });

  beforeAll(async () => {
    tokens = await startTokenServer({
      users: { alice: password },
      identityTokens: { [identity]: 'alice' },
      allows: (_user, repository) => !repository.startsWith('closed/'),
    });
    const start = (auth: Parameters<typeof startDockerRegistry>[1]) =>
      startDockerRegistry(program ?? '', auth);
    registries.basic = await start({ kind: 'basic' });
    registries.token = await start({ kind: 'token', server: tokens });
    registries.open = await start({ kind: 'none' });
    registries.named = await start({ kind: 'token', server: tokens });
    registries.identity = await start({ kind: 'token', server: tokens });
    home = makeHome();
    user = home.env['HOME'] ?? '';
    home.writeConfig({
      version: 1,
      accounts: { alice: { registry: { userName: 'alice' } }, identity: { registry: {} } },
      registries: {
        named: { matchImages: [registries.named.host], account: 'alice' },
        identity: { matchImages: [registries.identity.host], account: 'identity' },
      },
    });
    helper = linkDockerHelper(home);
    agent = await startAgent({ home, passphrase: 'of real clients' });
    mustBeGood(await home.lanyard(['secret', 'set', 'alice'], { input: password }));
    mustBeGood(await home.lanyard(['secret', 'set', 'identity'], { input: identity }));
    mkdirSync(join(user, '.docker'));
    writeFileSync(join(user, '.docker', 'config.json'), '{}');
    mustBeGood(await lanyard('docker', 'install', '--podman', '--helm'));
  });
  afterAll(async () => {
    await agent?.dispose();
    home?.dispose();
    await Promise.all([...Object.values(registries), tokens].map((each) => each?.dispose()));
  });

  /** The files of the user: no client wrote a password beside Lanyard. */
  function filesOfUser(): string {
    return [user, join(home.outside, 'run')]
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
      )
      .filter((path) => statSync(path).isFile())
      .map((path) => `${path}: ${readFileSync(path, 'utf8')}`)
      .join('\n');
  }

  const encoded = Buffer.from(`alice:${password}`).toString('base64');

  function textOf({ stdout, stderr }: Ended): string {
    return `${stdout}${stderr}`;
  }

  describe.each(here)('$name', ({ make }) => {
    let client: RegistryClient;
    beforeEach(() => {
      client = make(home);
    });

    test.each(['basic', 'token'] as const)('logs in, pushes, pulls and logs out: %s', async (kind) => {
      const { host } = registries[kind];
      const [name, secret] = kind === 'basic' ? [basicUser.name, basicUser.password] : ['alice', password];
      const path = `team/${client.name}`;
      expect((await client.push(host, path)).code, 'a push without a login').not.toBe(0);
      expect((await client.login(host, name, 'wrong')).code, 'a login with a wrong password').not.toBe(0);
      expect(await helper.get(host)).toBeNull();
      mustBeGood(await client.login(host, name, secret));
      expect(await helper.get(host)).toBe(`${name}:${secret}`);
      mustBeGood(await client.push(host, path));
      mustBeGood(await client.pull(host, path));
      expect(filesOfUser()).not.toMatch(new RegExp([secret, encoded].join('|')));
      mustBeGood(await client.logout(host));
      expect(await helper.get(host)).toBeNull();
      expect((await client.pull(host, path)).code, 'a pull after the logout').not.toBe(0);
    });

    test('gets the credential of a registry in config.yaml, which a login and a logout don’t change', async () => {
      const { host } = registries.named;
      const path = `team/${client.name}`;
      mustBeGood(await client.push(host, path));
      mustBeGood(await client.pull(host, path));
      const login = await client.login(host, 'alice', password);
      expect(textOf(login)).toContain('the registry named');
      // podman and its kin don’t say why a logout failed.
      for (const denied of [login, await client.logout(host)]) {
        expect(denied.code).not.toBe(0);
      }
      expect(filesOfUser()).not.toMatch(new RegExp([password, encoded].join('|')));
      expect((await client.push(host, `closed/${client.name}`)).code).not.toBe(0);
      mustBeGood(await client.pull(host, path));
    });

    test('gets an identity token', async () => {
      const { host } = registries.identity;
      const path = `team/${client.name}`;
      const before = tokens.requests.length;
      mustBeGood(await client.push(host, path));
      mustBeGood(await client.pull(host, path));
      const posts = tokens.requests.slice(before).filter(({ method }) => method === 'POST');
      expect(posts.map((post) => post.user)).toContain('alice');
    });
  });

  test('docker’s own code logs in, and the registry takes what it reads again', async (context) => {
    const go = findGo();
    if (!go.ok) {
      process.stderr.write(`skipped: docker’s own code at a real registry: ${go.why}\n`);
      return context.skip(go.why);
    }
    const docker = await buildGo(go.path, 'docker-client');
    const { host } = registries.basic;
    const entry = { serveraddress: host, username: basicUser.name, password: basicUser.password };
    const order = (...orders: object[]) =>
      run(docker, [], {
        env: {
          ...home.env,
          PATH: `${helper.folder}:${baseEnvironment()['PATH']}`,
          DOCKER_CONFIG: join(user, '.docker'),
        },
        input: orders.map((each) => `${JSON.stringify(each)}\n`).join(''),
      });
    const done = await order({ do: 'store', server: host, entry }, { do: 'get', server: host });
    mustBeGood(done);
    const found = JSON.parse(done.stdout.trim().split('\n').at(-1) ?? '').entry;
    const authorization = `Basic ${Buffer.from(`${found.username}:${found.password}`).toString('base64')}`;
    const ask = (headers: Record<string, string>) => fetch(`http://${host}/v2/`, { headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization })).status).toBe(200);
    mustBeGood(await order({ do: 'erase', server: host }));
    expect(await helper.get(host)).toBeNull();
  });

  test('a login that podman’s own file had goes on after docker install --podman', async () => {
    const skopeo = here.find(({ name }) => name === 'skopeo')?.make(home);
    if (!skopeo) {
      return;
    }
    const { host } = registries.basic;
    const auth = join(user, '.config/containers/auth.json');
    const packed = Buffer.from(`${basicUser.name}:${basicUser.password}`).toString('base64');
    writeFileSync(auth, JSON.stringify({ auths: { [host]: { auth: packed } } }));
    expect((await skopeo.push(host, 'team/own')).code, 'before the login moved').not.toBe(0);
    mustBeGood(await lanyard('docker', 'install', '--podman'));
    mustBeGood(await skopeo.push(host, 'team/own'));
    expect(readFileSync(auth, 'utf8')).not.toContain(packed);
    mustBeGood(await skopeo.logout(host));
  });

  test('without --podman, podman and its kin don’t ask Lanyard', async () => {
    const skopeo = here.find(({ name }) => name === 'skopeo')?.make(home);
    if (!skopeo) {
      return;
    }
    const { host } = registries.basic;
    mustBeGood(await skopeo.login(host, basicUser.name, basicUser.password));
    const conf = join(user, '.config/containers/registries.conf.d/50-lanyard.conf');
    const text = readFileSync(conf);
    try {
      rmSync(conf);
      expect((await skopeo.push(host, 'team/conf')).code).not.toBe(0);
    } finally {
      writeFileSync(conf, text);
    }
    mustBeGood(await skopeo.push(host, 'team/conf'));
    mustBeGood(await skopeo.logout(host));
  });

  test('while Lanyard is locked, what needs a credential says so, and what needs none goes on', async () => {
    const { basic, open } = registries;
    const all = here.map(({ make }) => make(home));
    for (const client of all) {
      mustBeGood(await client.push(open.host, `team/${client.name}`));
    }
    mustBeGood(await helper.store(basic.host, basicUser.name, basicUser.password));
    for (const client of all) {
      mustBeGood(await client.push(basic.host, `locked/${client.name}`));
    }
    mustBeGood(await lanyard('lock'));
    const before = filesOfUser();
    for (const client of all) {
      mustBeGood(await client.pull(open.host, `team/${client.name}`));
      const denied = await client.pull(basic.host, `locked/${client.name}`);
      expect(denied.code, client.name).not.toBe(0);
      expect(textOf(denied), client.name).toContain('lanyard unlock');
      const login = await client.login(basic.host, basicUser.name, basicUser.password);
      expect(login.code, client.name).not.toBe(0);
      expect(textOf(login), client.name).toContain('lanyard unlock');
    }
    expect(filesOfUser()).toBe(before);
  });
});
