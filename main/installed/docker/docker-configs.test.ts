import { chmod, lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { asOn } from '../../../test/support/as-on-windows.ts';
import { modeOf, onWindows, withoutLinks } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { FakeVault } from '../../accounts/testing/fake-vault.ts';
import { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { parseServer } from '../../domain/image/registry-server.ts';
import { storedLimits } from '../../domain/image/stored-logins.ts';
import { createLedger } from '../ledger.ts';
import { createDockerConfigs, type DockerConfigs } from './docker-configs.ts';
import { chooseRegistry } from './plan-docker.ts';

let folder: string;
let file: string;
let vault: FakeVault;
let docker: DockerConfigs;
let recorded: unknown[];
let configured: Record<string, string>;
let fallback: string | null;

beforeEach(() => {
  folder = folderForTest();
  file = join(folder, '.docker', 'config.json');
  vault = new FakeVault();
  recorded = [];
  configured = { 'work.example.com': 'work' };
  fallback = null;
  docker = createDockerConfigs({
    vault,
    ledger: createLedger({ file: join(folder, 'installed.json'), alone: (work) => work() }),
    now: () => 7,
    recorder: { record: (event) => recorded.push(event) },
    configured: ({ key }) => configured[key] ?? null,
    fallback: () => fallback,
  });
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const text = () => readFile(file, 'utf8');
async function write(content: string | object, mode = 0o640): Promise<string> {
  const written = typeof content === 'string' ? content : JSON.stringify(content, null, '\t');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, written);
  await chmod(file, mode);
  return written;
}
function registry(name: string) {
  const parsed = parseServer(name);
  const chosen = parsed.ok ? chooseRegistry(parsed.server) : null;
  if (!chosen) {
    throw new Error(name);
  }
  return chosen;
}
const stored = () =>
  Object.fromEntries(
    Object.entries(vault.content.registryLogins).map(([key, { userName, secret }]) => [
      key,
      `${userName}:${secret.reveal()}`,
    ]),
  );

const login = { auth: base64('alice:p:w') };

describe('the edited text', () => {
  it.each([
    ['', '{\n\t"credsStore": "lanyard"\n}'],
    ['{}\n', '{\n\t"credsStore": "lanyard"\n}\n'],
    ['{"psFormat":"x"}', '{"psFormat":"x","credsStore":"lanyard"}'],
    ['{ "a": [1, 2] }\n', '{ "a": [1, 2], "credsStore": "lanyard" }\n'],
    ['{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "credsStore": "lanyard"\r\n}\r\n'],
    ['{\n   "credsStore": "",\n   "a": {}\n}', '{\n   "credsStore": "lanyard",\n   "a": {}\n}'],
    ['{"credsStore":null}', '{"credsStore":"lanyard"}'],
    [
      `{\n\t"auths": {\n\t\t"g.io": {\n\t\t\t"auth": "${base64('a:b')}"\n\t\t},\n\t\t"h.io": {"email": "e", "auth": "${base64('a:b')}"}\n\t},\n\t"z": [1,2]\n}`,
      '{\n\t"auths": {\n\t\t"g.io": {},\n\t\t"h.io": {"email": "e"}\n\t},\n\t"z": [1,2],\n\t"credsStore": "lanyard"\n}',
    ],
  ])('of %j is %j, and goes back', async (before, after) => {
    await write(before);
    await docker.install(file, []);
    expect(await text()).toBe(after);
    expect((await docker.undo(file)).how).toBe('restored');
    expect(await text()).toBe(before);
  });

  it('names chosen registries in credHelpers, as docker looks them up', async () => {
    await write('{"credsStore":"pass","credHelpers":{"a.io":"other"},"auths":{"c.io":{"auth":"YTpi"}}}');
    const chosen = [registry('a.io'), registry('docker.io'), registry('B.io:5000')];
    fallback = 'pass';
    await expect(docker.install(file, chosen)).rejects.toMatchObject({
      code: 'docker.otherStore',
      message: expect.stringContaining('"other"'),
    });
    configured['a.io'] = 'work';
    await docker.install(file, chosen);
    expect(JSON.parse(await text())).toEqual({
      credsStore: 'pass',
      credHelpers: { 'a.io': 'lanyard', 'https://index.docker.io/v1/': 'lanyard', 'b.io:5000': 'lanyard' },
      auths: { 'c.io': { auth: 'YTpi' } },
    });
    expect(chooseRegistry({ ...registry('a.io').server, path: '/x' })).toBeNull();
  });
});

describe('logins in plain text', () => {
  it('move as docker reads them; what can’t move stays, with the reason', async () => {
    await write({
      auths: {
        'docker.io': { auth: base64('other:login') },
        'https://index.docker.io/v1/': login,
        'token.io': { auth: base64('u:'), identitytoken: 'id' },
        'both.io': { auth: base64('u:p'), registrytoken: 'rt' },
        'reg.io': { registrytoken: 'rt' },
        'plain.io': { username: 'u', password: 'p' },
        'bad.io': { auth: 'no base64!' },
        'work.example.com': { auth: base64('u:p') },
        'helped.io': { auth: base64('u:p') },
        'https://u:canary@x.io': { auth: base64('u:p') },
        'empty.io': {},
      },
      credHelpers: { 'helped.io': 'gcr' },
    });
    const { plan } = await docker.install(file, []);
    expect(stored()).toEqual({
      'docker.io': 'alice:p:w',
      'token.io': '<token>:id',
      'both.io': 'u:p',
      'plain.io': 'u:p',
    });
    expect(plan.left.map(({ server, why }) => `${server}: ${why}`)).toEqual([
      'docker.io: another login for this server is stored already: log out of one of them',
      'both.io: its registry token stays: credential helpers have no place for one',
      'reg.io: its registry token stays: credential helpers have no place for one',
      'bad.io: its auth can’t be read as a user name and a password',
      'work.example.com: the registry work of config.yaml answers for it: take this login out by hand',
      'helped.io: docker asks the helper gcr for it',
      'https://…@x.io: the server URL has a user name or a password in it; docker goes on reading it there',
    ]);
    const { auths, credHelpers } = JSON.parse(await text());
    expect(credHelpers).toEqual({ 'helped.io': 'gcr', 'x.io': '' });
    expect(auths).toMatchObject({
      'docker.io': { auth: base64('other:login') },
      'https://index.docker.io/v1/': {},
      'both.io': { registrytoken: 'rt' },
      'work.example.com': { auth: base64('u:p') },
    });
    expect(auths['token.io']).toEqual({});
  });

  const latin1 = { auth: Buffer.from('robot:p\xe4ss', 'latin1').toString('base64') };

  /** test/integration/docker-reference.test.ts has docker itself read some of them. */
  it.each<[string, object, Record<string, string>]>([
    [
      'in lines',
      { 'a.io': { auth: `${base64('alice:p')}`.replace(/..../g, '$&\r\n') } },
      { 'a.io': 'alice:p' },
    ],
    ['with zero bytes', { 'a.io': { auth: base64('alice:\0p\0\0') } }, { 'a.io': 'alice:p' }],
    ['with loose bits at its end', { 'a.io': { auth: 'YTpiYx==' } }, { 'a.io': 'a:bc' }],
    ['of an old URL', { 'https://a.io:5/v1/': login }, { 'a.io:5': 'alice:p:w' }],
    ['for a host beside its URL', { 'https://a.io': latin1, 'a.io': login }, { 'a.io': 'alice:p:w' }],
    ['of a URL beside another', { 'http://a.io': login, 'https://a.io': login }, { 'a.io': 'alice:p:w' }],
  ])('are what docker finds: base64 %s', async (_, auths, logins) => {
    await write({ auths });
    await docker.install(file, []);
    expect(stored()).toEqual(logins);
    expect(JSON.parse(await text())).not.toHaveProperty('credHelpers');
    expect(Object.values(vault.content.registryLogins)[0]?.serverUrl).toBe(Object.keys(logins)[0]);
    expect((await docker.install(file, [])).changes).toBe(false);
  });

  it('that can’t move stay readable by docker, also where an earlier installation left them', async () => {
    const conflict = { serverUrl: 'c.io', userName: 'bob', secret: new Secret('p') };
    vault.content = { ...vault.content, registryLogins: { 'c.io': conflict } };
    const auths = {
      'a.io': latin1,
      'http://b.io:5': login,
      'https://c.io/v2/': login,
      'd.io': { auth: 'none' },
      'e.io': login,
    };
    const kept = { 'a.io': '', 'b.io:5': '', 'c.io': '' };
    const before = await write({ auths, credHelpers: { 'e.io': '' } });
    const { plan } = await docker.install(file, []);
    expect(plan.keeps).toEqual(['a.io', 'e.io', 'b.io:5', 'c.io']);
    expect(JSON.parse(await text())).toEqual({
      auths,
      credsStore: 'lanyard',
      credHelpers: { 'e.io': '', ...kept },
    });
    expect(stored()).toEqual({ 'c.io': 'bob:p' });
    expect((await docker.install(file, [])).changes).toBe(false);
    await write({ ...JSON.parse(await text()), mine: 1 });
    expect((await docker.undo(file)).how).toBe('takenBack');
    expect(JSON.parse(await text())).toEqual({ ...JSON.parse(before), mine: 1 });
    await write({ auths: { 'a.io': latin1 }, credsStore: 'lanyard' });
    await docker.install(file, []);
    expect(JSON.parse(await text()).credHelpers).toEqual({ 'a.io': '' });
    // docker logout, and a login that can be stored.
    await write({ auths: { 'a.io': login }, credsStore: 'lanyard', credHelpers: { 'a.io': '' } });
    await docker.install(file, []);
    expect(JSON.parse(await text())).toEqual({ auths: { 'a.io': {} }, credsStore: 'lanyard' });
  });

  it('that can’t move keep a chosen registry from Lanyard, and another store as it is', async () => {
    await write({ auths: { 'a.io': latin1, 'https://u@c.io': login } });
    const { plan } = await docker.install(file, ['a.io', 'b.io', 'c.io'].map(registry));
    expect(plan.keeps).toEqual(['a.io', 'c.io']);
    expect(JSON.parse(await text()).credHelpers).toEqual({ 'b.io': 'lanyard' });
    // docker reads no login of a file that names a store.
    fallback = 'pass';
    await write({ auths: { 'a.io': latin1 }, credsStore: 'pass' });
    await docker.install(file, []);
    expect(JSON.parse(await text())).toEqual({ auths: { 'a.io': latin1 }, credsStore: 'lanyard' });
  });

  /** (rule: nothing-lost) */
  it('are in the vault, with the whole file, before a byte of it changes', async () => {
    const before = await write({ auths: { 'a.io': login } });
    let seen: string | null = null;
    vault.beforeWrite = async () => {
      seen = await text();
      throw new BrokerError('vault.diskFull', 'the disk is full');
    };
    await expect(docker.install(file, [])).rejects.toThrow('the disk is full');
    expect([seen, await text()]).toEqual([before, before]);
    vault.beforeWrite = () => undefined;
    await docker.install(file, []);
    expect(vault.writes).toHaveLength(1);
    expect(vault.writes[0]?.content.dockerConfigs[file]?.before?.reveal()).toBe(before);
    expect(recorded).toEqual([{ kind: 'change', what: 'docker.install', name: file }]);
  });

  it('stay in the file where the vault has as many as it stores', async () => {
    const some = { serverUrl: 'r', userName: 'u', secret: new Secret('p') };
    const full = Object.fromEntries(
      Array.from({ length: storedLimits.entries }, (_, index) => [`r${index}`, some]),
    );
    vault.content = { ...vault.content, registryLogins: full };
    const before = await write({ auths: { 'a.io': login } });
    await expect(docker.install(file, [])).rejects.toMatchObject({ code: 'docker.full' });
    expect([await text(), vault.writes]).toEqual([before, []]);
  });

  it('stay where docker wrote the file meanwhile', async () => {
    await write({ auths: { 'a.io': login } });
    vault.beforeWrite = async () => {
      vault.beforeWrite = () => undefined;
      await write('{"new":1}');
    };
    await expect(docker.install(file, [])).rejects.toMatchObject({ code: 'docker.changed' });
    expect(await text()).toBe('{"new":1}');
    expect(vault.content.dockerConfigs).toEqual({});
    expect(stored()).toEqual({ 'a.io': 'alice:p:w' });
  });
});

describe('an undo', () => {
  it('takes only Lanyard’s keys out of a file that was changed since', async () => {
    configured['a.io'] = 'work';
    await write({ credHelpers: { 'a.io': 'gcr' }, auths: { 'b.io': login } });
    await docker.install(file, [registry('a.io'), registry('b.io')]);
    await write({ ...JSON.parse(await text()), mine: 1 });
    await docker.install(file, []);
    await write({ ...JSON.parse(await text()), more: 2 });
    expect((await docker.undo(file)).how).toBe('takenBack');
    expect(JSON.parse(await text())).toEqual({
      credHelpers: { 'a.io': 'gcr' },
      auths: { 'b.io': {} },
      mine: 1,
      more: 2,
    });
    expect(stored()).toEqual({ 'b.io': 'alice:p:w' });
    await expect(docker.undo(file)).rejects.toMatchObject({ reason: 'notFound' });
  });

  it('of two edits in a row goes back to before the first', async () => {
    const before = await write({ auths: { 'b.io': login } });
    await docker.install(file, [registry('b.io')]);
    await docker.install(file, []);
    expect((await docker.undo(file)).how).toBe('restored');
    expect(await text()).toBe(before);
  });

  it('removes a file that Lanyard made, and keeps what others made of it', async () => {
    await docker.install(file, []);
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(dirname(file))).toBe(0o700);
    expect((await docker.undo(file)).how).toBe('removed');
    await expect(text()).rejects.toThrow('ENOENT');
    await docker.install(file, []);
    await write({ credsStore: 'lanyard', x: 1 });
    expect((await docker.undo(file)).how).toBe('takenBack');
    expect(JSON.parse(await text())).toEqual({ x: 1 });
    await docker.install(file, []);
    await rm(file);
    expect((await docker.undo(file)).how).toBe('gone');
  });

  it('leaves a file that is no JSON any more, and can be done later', async () => {
    await write('{}');
    await docker.install(file, []);
    await write('{');
    await expect(docker.undo(file)).rejects.toMatchObject({ code: 'docker.unreadable' });
    expect(await docker.list()).toEqual([{ file, changedSince: true }]);
    await write('{"credsStore":"lanyard"}');
    expect((await docker.undo(file)).how).toBe('restored');
    expect(await text()).toBe('{}');
  });
});

describe('an edit that another program undid', () => {
  const one = { serverUrl: 'b.io', userName: 'u', secret: new Secret('canary') };

  /** docker/for-win#12091: Docker Desktop names its own store when it starts (rule: reversible-edits). */
  it('of credsStore is said, with the logins that only Lanyard has, until it is made again', async () => {
    vault.content = { ...vault.content, registryLogins: { 'b.io': one } };
    await write({ auths: { 'a.io': login, 'c.io': login } });
    await docker.install(file, []);
    expect(await docker.undone()).toEqual([]);
    const lanyard = JSON.parse(await text());
    await write({ ...lanyard, auths: { ...lanyard.auths, 'c.io': login }, credsStore: 'desktop' });
    const undone = {
      what: 'docker',
      file,
      text: 'docker no longer asks Lanyard: its credsStore is desktop, and only Lanyard has the login of b.io, a.io',
      command: 'lanyard docker install',
    };
    expect(await docker.undone()).toEqual([undone]);
    expect((await docker.state(file)).undone).toEqual(undone);
    const { credsStore: _, ...without } = lanyard;
    await write({ ...without, auths: { ...lanyard.auths, 'c.io': login } });
    expect((await docker.undone())[0]?.text).toBe(
      'docker no longer asks Lanyard: credsStore was removed from it, and only Lanyard has the login of b.io, a.io',
    );
    await rm(file);
    expect((await docker.undone())[0]?.text).toContain('the file is gone, and only Lanyard has');
    await write(lanyard);
    await write({ ...lanyard, credsStore: 'desktop' });
    fallback = 'desktop';
    await docker.install(file, []);
    expect(await docker.undone()).toEqual([]);
    await write({ ...JSON.parse(await text()), mine: 1 });
    expect(await docker.undone()).toEqual([]);
  });

  const platforms = [...new Set([process.platform, 'win32'] as const)];
  it.each(platforms)(
    'of credHelpers is said where it names Lanyard no more, with the command for it on %s',
    async (platform) => {
      asOn(platform);
      const other = join(folder, 'other', 'config.json');
      await docker.install(other, [registry('a.io'), registry('b.io')]);
      await docker.install(file, []);
      await writeFile(other, '{"credHelpers":{"a.io":"gcr","b.io":"lanyard"}}');
      const variable =
        platform === 'win32'
          ? `$env:DOCKER_CONFIG = '${dirname(other)}';`
          : `DOCKER_CONFIG=${dirname(other)}`;
      expect(await docker.undone()).toEqual([
        {
          what: 'docker',
          file: other,
          text: 'docker no longer asks Lanyard: its credHelpers for a.io were changed',
          command: `${variable} lanyard docker install --registry a.io --registry b.io`,
        },
      ]);
      await writeFile(other, '{');
      expect(await docker.undone()).toEqual([]);
      vault.locked = true;
      expect(await docker.undone()).toEqual([]);
    },
  );
});

it.skipIf(withoutLinks)('edits the target of a link, keeps the link and the mode', async () => {
  const target = join(folder, 'dotfiles.json');
  const before = '{"a":1}';
  await writeFile(target, before, { mode: 0o604 });
  await chmod(target, 0o604);
  await mkdir(dirname(file));
  await symlink('../dotfiles.json', file);
  await docker.install(file, []);
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, 'utf8')).toBe('{"a":1,"credsStore":"lanyard"}');
  expect(modeOf(target)).toBe(0o604);
  await docker.undo(file);
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, 'utf8')).toBe(before);
});

it('runs installs and undos at once one after the other', async () => {
  const before = await write({ auths: { 'a.io': login } });
  await Promise.all(Array.from({ length: 8 }, () => docker.install(file, [])));
  await Promise.allSettled(Array.from({ length: 8 }, () => docker.undo(file)));
  expect(await text()).toBe(before);
  expect(vault.content.dockerConfigs).toEqual({});
});

/** After `lanyard vault reset` the vault has no record of it. */
it.each<[string, object, string | null, object]>([
  ['a store', { credsStore: 'lanyard', auths: { 'a.io': {} } }, null, { auths: { 'a.io': {} } }],
  ['a store, and Lanyard asks another', { credsStore: 'lanyard' }, 'pass', { credsStore: 'pass' }],
  [
    'helpers',
    { credHelpers: { 'a.io': 'lanyard', 'b.io': 'gcr' } },
    null,
    { credHelpers: { 'b.io': 'gcr' } },
  ],
])('an undo without a record takes only Lanyard’s keys out of %s', async (_, before, other, after) => {
  fallback = other;
  await write(before, 0o640);
  expect(await docker.state(file)).toMatchObject({ edit: null, canUndo: true });
  expect((await docker.undo(file)).how).toBe('takenBack');
  expect(JSON.parse(await text())).toEqual(after);
  if (!onWindows) {
    expect(modeOf(file)).toBe(0o640);
  }
  await expect(docker.undo(file)).rejects.toMatchObject({ code: 'docker.notInstalled' });
});

describe('a file that is refused stays as it is', () => {
  it.each([
    ['not JSON', '{"a":', 'isn’t valid JSON'],
    ['YAML', 'a: 1', 'isn’t valid JSON'],
    ['a comment', '{} // x', 'isn’t valid JSON'],
    ['a byte order mark', '\ufeff{}', 'isn’t valid JSON'],
    ['an array', '[]', 'isn’t a JSON object'],
    ['nested too deeply', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'is nested too deeply'],
    ['credsStore of a wrong type', '{"credsStore":1}', 'has credsStore that is no text'],
    ['credsStore twice', '{"credsStore":"a","credsStore":"b"}', 'has credsStore twice'],
    ['credsStore in other letters', '{"credsstore":"a"}', 'has credsStore in other letters (credsstore)'],
    ['auths of a wrong type', '{"auths":[]}', 'has auths that is no object'],
    ['an entry of a wrong type', '{"auths":{"a.io":"canary"}}', 'has auths of "a.io" that is no object'],
    ['auth of a wrong type', '{"auths":{"a.io":{"auth":7}}}', 'has auth in auths of "a.io" that is no text'],
    ['a server twice', '{"auths":{"a.io":{},"a.io":{}}}', 'has "a.io" twice in auths'],
    [
      'credHelpers of a wrong type',
      '{"credHelpers":{"a.io":{}}}',
      'has credHelpers of "a.io" that is no text',
    ],
  ])('%s', async (_, content, fault) => {
    await write(content);
    await expect(docker.install(file, [])).rejects.toMatchObject({
      code: 'docker.unreadable',
      reason: 'usage',
      message: `${file} ${fault}; it is unchanged`,
    });
    expect(await text()).toBe(content);
    expect(vault.writes).toEqual([]);
  });

  it.each([[[]], [['a.io']]])('another credential store, unless Lanyard asks it: %o', async (names) => {
    const before = await write('{"credsStore":"secretservice"}');
    const chosen = names.map(registry);
    for (const other of [null, 'pass']) {
      fallback = other;
      await expect(docker.install(file, chosen)).rejects.toMatchObject({
        code: 'docker.otherStore',
        message: expect.stringContaining('"secretservice"'),
      });
    }
    expect([await text(), vault.writes]).toEqual([before, []]);
    expect(await docker.plan(file, chosen)).toMatchObject({
      plan: { wraps: 'secretservice' },
      fault: { code: 'docker.otherStore' },
    });
    fallback = 'secretservice';
    await docker.install(file, chosen);
    expect((await docker.undo(file)).how).toBe('restored');
    expect(await text()).toBe(before);
  });

  it('one that is put back where the file was changed since', async () => {
    await write({ credsStore: 'pass' });
    fallback = 'pass';
    await docker.install(file, []);
    await write({ ...JSON.parse(await text()), psFormat: 'x' });
    expect((await docker.undo(file)).how).toBe('takenBack');
    expect(JSON.parse(await text())).toEqual({ credsStore: 'pass', psFormat: 'x' });
  });

  it('Lanyard itself by another name is no other store', async () => {
    const before = await write('{"credsStore":"lanyard-work"}');
    expect(await docker.install(file, [])).toMatchObject({ changes: false, plan: { wraps: null } });
    expect(await text()).toBe(before);
  });

  it('more logins than can be stored: foreseen by a plan, too', async () => {
    const auths = Object.fromEntries(
      Array.from({ length: storedLimits.entries + 1 }, (_, at) => [`r${at}.io`, login]),
    );
    const before = await write({ auths });
    await expect(docker.plan(file, [])).rejects.toMatchObject({ code: 'docker.full' });
    await expect(docker.install(file, [])).rejects.toMatchObject({ code: 'docker.full' });
    expect([await text(), vault.writes]).toEqual([before, []]);
  });

  /** (rule: no-secret-in-text) */
  it.each([
    '{"auths":{"https://u:canary@a.io":"x"}}',
    '{"auths":{"https://u:canary@a.io":{"auth":1}}}',
    '{"auths":{"https://u:canary@a.io":{},"https://u:canary@a.io":{}}}',
    '{"credHelpers":{"u:canary@a.io":1}}',
  ])('a URL with a password, which is not shown: %s', async (content) => {
    await write(content);
    const refused = await docker.install(file, []).catch((error: BrokerError) => error.message);
    expect(refused).toContain('…@a.io');
    expect(refused).not.toContain('canary');
  });

  it('a folder, bytes that are no text, and more than 1 MiB', async () => {
    await mkdir(file, { recursive: true });
    await expect(docker.install(file, [])).rejects.toThrow('is not a file');
    await rm(file, { recursive: true });
    await writeFile(file, new Uint8Array([0x7b, 0xff, 0x7d]));
    await expect(docker.install(file, [])).rejects.toThrow('is not UTF-8 text');
    await writeFile(file, `{"a":"${'x'.repeat(1024 * 1024)}"}`);
    await expect(docker.install(file, [])).rejects.toThrow('is larger than');
    expect(vault.writes).toEqual([]);
  });
});
