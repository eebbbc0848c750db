import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { jsonLines } from '../support/json-lines.ts';
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

const password = 'canary-of-a-registry';

/** `lanyard registry test` through helper and broker: with a registry that answers whatever a test wants, and a real one. */
let home: TestHome;
let agent: TestAgent;
let server: Server;
let host: string;
let header = '';
const seen: IncomingMessage[] = [];
let basic: DockerRegistry;
let byToken: DockerRegistry;
let tokens: TokenServer;

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    response.writeHead(401, { 'www-authenticate': header }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secrets: Record<string, string> = { bot: password, second: password };
  const names: Record<string, string> = { bot: 'robot', second: 'other' };
  const registries: Record<string, object> = {
    local: { matchImages: [host], account: 'bot' },
    wide: { matchImages: ['*.example.com'], account: 'bot' },
    asks: { matchImages: [`${host}/private/`], account: 'second', approval: 'always' },
  };
  if (program !== null) {
    tokens = await startTokenServer({
      users: { alice: password },
      identityTokens: { 'canary-identity': 'alice' },
      allows: (_user, repository) => repository.startsWith('team/'),
    });
    basic = await startDockerRegistry(program, { kind: 'basic' });
    byToken = await startDockerRegistry(program, { kind: 'token', server: tokens });
    const wrong = password;
    Object.assign(secrets, { robot: basicUser.password, wrong, alice: password, mallory: password });
    Object.assign(secrets, { identity: 'canary-identity' });
    Object.assign(names, {
      robot: basicUser.name,
      wrong: basicUser.name,
      alice: 'alice',
      mallory: 'mallory',
    });
    const tokenServers = [tokens.host];
    Object.assign(registries, {
      basic: { matchImages: [basic.host], account: 'robot' },
      wrong: { matchImages: [`${basic.host}/wrong/`], account: 'wrong' },
      noIdentity: { matchImages: [`${basic.host}/identity/`], account: 'identity' },
      tokens: { matchImages: [byToken.host], account: 'alice', tokenServers },
      unapproved: { matchImages: [`${byToken.host}/unapproved/`], account: 'alice' },
      identity: { matchImages: [`${byToken.host}/team/identity/`], account: 'identity', tokenServers },
      mallory: { matchImages: [`${byToken.host}/mallory/`], account: 'mallory', tokenServers },
    });
  }
  const accounts = Object.keys(secrets).map((name) => [name, { registry: { userName: names[name] } }]);
  home = makeHome();
  home.writeConfig({ version: 1, accounts: Object.fromEntries(accounts), registries });
  agent = await startAgent({ home, passphrase: 'of a registry’s test' });
  for (const [name, input] of Object.entries(secrets)) {
    mustBeGood(await home.lanyard(['secret', 'set', name], { input }));
  }
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
  server?.close();
  server?.closeAllConnections();
  await Promise.all([basic?.dispose(), byToken?.dispose(), tokens?.dispose()]);
});

describe('a hostile registry', () => {
  async function ask(...words: string[]) {
    seen.length = 0;
    const ended = await home.lanyard(['registry', 'test', ...words]);
    expect(ended.stdout + ended.stderr).not.toContain('canary');
    return ended;
  }

  /** (rule: realm-trust) */
  test.each<[what: string, header: string, says: RegExp]>([
    [
      'another port of this machine',
      'Bearer realm="http://127.0.0.1:9/token"',
      /another host, 127\.0\.0\.1:9,/,
    ],
    ['a metadata service', 'Bearer realm="http://169.254.169.254/"', /without TLS/],
    ['another host', 'Bearer realm="https://evil.example/"', /evil\.example.*not approved/],
    ['a control character', 'Bearer realm="https://\u009b31mevil/"', /no token server that can be used/],
    ['no realm', 'Bearer', /no token server that can be used/],
    ['100 challenges', Array(100).fill('Basic realm=x').join(', '), /asks for no user name/],
    ['another scheme', 'Digest realm=x', /asks for no user name/],
  ])('that names %s gets nothing', async (_what, value, says) => {
    header = value;
    const { code, stderr, stdout } = await ask('local');
    expect({ code, stdout }).toEqual({ code: 16, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('\u009b');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('that rejects gets the credential once, and the user is told what to do', async () => {
    header = 'Basic realm="x"';
    const { code, stderr } = await ask('local');
    expect(code).toBe(16);
    expect(stderr).toContain(`${host} rejects the credential of bot (401)`);
    expect(stderr).toContain('lanyard secret set bot');
    expect(seen).toHaveLength(2);
    const inJson = await ask('local', '--json');
    expect(inJson.code).toBe(16);
    expect(JSON.parse(inJson.stdout)).toMatchObject({ outcome: 'rejected' });
  });

  test('that names its realm in another language gets the credential', async () => {
    header = 'Basic realm="für Robots"';
    expect((await ask('local')).stderr).toContain(`${host} rejects the credential of bot (401)`);
  });

  test('of a wildcard needs an image, which must be of that registry', async () => {
    expect(await ask('wide')).toMatchObject({ code: 2 });
    const { code, stderr } = await ask('wide', `${host}/app`);
    expect(code).toBe(14);
    expect(stderr).toContain('gets the credential of the registry local');
    expect(seen).toEqual([]);
  });

  /** (rule: everything-recorded) */
  test('whose policy asks gets nothing where no one can be asked, and each test is on record', async () => {
    header = 'Basic realm="x"';
    const { code } = await ask('asks');
    expect(code).toBe(13);
    expect(seen).toEqual([]);
    await ask('local');
    const { stdout } = await home.lanyard(['audit', '--json']);
    const calls = jsonLines(stdout).filter(({ door, account }) => door === 'cli' && account !== null);
    expect(calls.find(({ account }) => account === 'bot')).toMatchObject({ outcome: 'handedOut' });
    expect(calls.find(({ account }) => account === 'second')).toMatchObject({ outcome: 'refused' });
  });
});

describe('Debian’s docker-registry', unless(program === null ? 'docker-registry isn’t here' : null), () => {
  test.each<[name: string, path: string | null, code: number, says: RegExp]>([
    ['basic', null, 0, /accepts the credential of robot\.$/m],
    ['basic', '/team/app', 0, /accepts the credential of robot; it has no /],
    ['wrong', null, 16, /rejects the credential of wrong \(401\)/],
    ['noIdentity', null, 16, /takes no identity token/],
    ['tokens', null, 0, /accepts the credential of alice\.$/m],
    ['tokens', '/team/app:v1', 0, /; it has no .*team\/app:v1/],
    ['tokens', '/other/app', 16, /accepts the credential of alice, but it may not pull .* \(401\)/],
    ['unapproved', null, 16, /which you have not approved: the credential was not sent/],
    ['identity', null, 0, /accepts the credential of identity\.$/m],
    ['mallory', null, 16, /the token server of .*, rejects the credential of mallory \(401\)/],
  ])('%s, %s', async (name, path, code, says) => {
    const before = tokens.requests.length;
    const at = ['basic', 'wrong', 'noIdentity'].includes(name) ? basic.host : byToken.host;
    const ended = await home.lanyard(['registry', 'test', name, ...(path === null ? [] : [`${at}${path}`])]);
    expect(ended.stdout + ended.stderr).toMatch(says);
    expect(ended.code).toBe(code);
    expect(ended.stdout + ended.stderr).not.toContain('canary');
    if (name === 'unapproved') {
      expect(tokens.requests).toHaveLength(before);
    }
  });
});

test('while Lanyard is locked a registry is asked for nothing', async () => {
  mustBeGood(await home.lanyard(['lock']));
  seen.length = 0;
  expect(await home.lanyard(['registry', 'test', 'local'])).toMatchObject({ code: 11 });
  expect(seen).toEqual([]);
});
