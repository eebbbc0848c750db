import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { asOn } from '../../../test/support/as-on-windows.ts';
import { onWindows, withoutLinks, withoutModes } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { readKubeconfigs } from './read-kubeconfigs.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const cluster = (name: string, body = '{server: x}') => `clusters:\n- name: ${name}\n  cluster: ${body}\n`;
const user = (name: string, body: string) => `users:\n- name: ${name}\n  user: ${body}\n`;

describe('several files', () => {
  test('the first that has an entry wins with the whole of it; the others’ are told', async () => {
    const first = write('first', `${cluster('c', '{server: first}')}${user('u', '{username: first}')}`);
    const second = write(
      'second',
      `current-context: second\n${cluster('c', '{server: second, tls-server-name: t}')}${user('u', '{token: hidden}')}contexts:\n- name: x\n`,
    );
    const third = write('third', 'current-context: third\ncontexts:\n- name: x\n');
    const merged = await readKubeconfigs([first, second, third]);
    expect(merged.clusters.get('c')).toMatchObject({ server: 'first', tlsServerName: null });
    expect(merged.users.get('u')).toMatchObject({ username: 'first', token: null });
    expect(merged.currentContext).toEqual({ name: 'second', file: second });
    expect(merged.hidden.map(({ what, name, origin }) => [what, name, origin.file, origin.line])).toEqual([
      ['cluster', 'c', second, 3],
      ['user', 'u', second, 6],
      ['context', 'x', third, 3],
    ]);
    const hidden = merged.hidden.find(({ what }) => what === 'user');
    expect(hidden?.what === 'user' && hidden.user.token?.reveal()).toBe('hidden');
  });

  test('an error leaves one file out, and no other', async () => {
    const good = write('good', `current-context: g\n${cluster('good')}`);
    const bad = write('bad', `current-context: b\n${cluster('bad')}${user('u', '{token: 12}')}`);
    const merged = await readKubeconfigs([bad, good]);
    expect([...merged.clusters.keys()]).toEqual(['good']);
    expect(merged.currentContext?.name).toBe('g');
    expect(merged.problems).toEqual([
      expect.objectContaining({ severity: 'error', file: bad, line: 7, column: 17 }),
    ]);
    expect(merged.files.map(({ path }) => path)).toEqual([bad, good]);
  });

  test('a file twice is read once', async () => {
    const file = write('config', cluster('c'));
    const merged = await readKubeconfigs([file, file]);
    expect(merged.files).toHaveLength(1);
    expect([merged.hidden, merged.problems]).toEqual([[], []]);
  });

  test.skipIf(withoutLinks)('a file by another name is read once', async () => {
    const file = write('config', cluster('c'));
    symlinkSync(file, join(folder, 'link'));
    const merged = await readKubeconfigs([file, join(folder, 'link')]);
    expect(merged.files).toHaveLength(1);
    expect(merged.hidden).toEqual([]);
    expect(merged.problems).toEqual([
      expect.objectContaining({
        severity: 'warning',
        file: join(folder, 'link'),
        message: `the same file as ${file}; it is read once`,
      }),
    ]);
  });
});

describe('a file', () => {
  test.each<[string, (path: string) => void, string | null]>([
    ['that is not there', () => undefined, null],
    ['in a folder that is not there', () => rmSync(folder, { recursive: true }), null],
    ['that is empty', (path) => writeFileSync(path, ''), null],
    ['that is a folder', (path) => mkdirSync(path), 'error is a folder, not a file'],
    [
      'that is no UTF-8',
      (path) => writeFileSync(path, Buffer.from('a: "\xff"', 'latin1')),
      'error is not UTF-8 text; save it as UTF-8',
    ],
    [
      'that is UTF-16',
      (path) => writeFileSync(path, Buffer.from('\ufeffkind: Config\n', 'utf16le')),
      'error is not UTF-8 text; save it as UTF-8',
    ],
    [
      'that is too large',
      (path) => writeFileSync(path, `# ${'x'.repeat(1000)}`),
      'error is larger than 1000 bytes, or growing',
    ],
  ])('%s', (_, make, expected) => expectTold(make, expected));

  test.skipIf(withoutLinks).each<[string, (path: string) => void, string]>([
    [
      'to nowhere',
      (path) => symlinkSync('/nowhere/at-all', path),
      'warning a symbolic link to nowhere (/nowhere/at-all); kubectl skips it as if it were not there',
    ],
    ['to itself', (path) => symlinkSync(path, path), 'error can’t be read (ELOOP)'],
  ])('that is a link %s', (_, make, expected) => expectTold(make, expected));

  async function expectTold(make: (path: string) => void, expected: string | null): Promise<void> {
    const path = join(folder, 'config');
    make(path);
    const merged = await readKubeconfigs([path], { limitBytes: 1000 });
    const told = merged.problems.map(({ severity, message }) => `${severity} ${message}`);
    expect(told).toEqual(expected === null ? [] : [expected]);
    expect(merged.problems.every(({ file, line }) => file === path && line === null)).toBe(true);
    expect(merged.clusters.size + merged.users.size + merged.contexts.size).toBe(0);
    expect(merged.files).toHaveLength(1);
  }

  test('that together are more than a page may have read: the last is left out', async () => {
    const paths = ['a', 'b', 'c'].map((name) => write(name, `${cluster(name)}# ${'x'.repeat(400)}\n`));
    const page = { togetherBytes: 1200, parts: 10_000 };
    const merged = await readKubeconfigs(paths, { page });
    expect([...merged.clusters.keys()]).toEqual(['a', 'b']);
    expect(merged.problems).toEqual([
      expect.objectContaining({ file: paths[2], message: expect.stringContaining('is larger than') }),
    ]);
    expect((await readKubeconfigs(paths)).clusters.size).toBe(3);
  });

  test('in a layout that takes long to read, with more parts than a page may have read', async () => {
    const users = Array.from({ length: 200 }, (_, index) => ({ name: `u${index}`, user: { token: 't' } }));
    const path = write('config', JSON.stringify({ users }));
    const merged = await readKubeconfigs([path], { page: { togetherBytes: 1e6, parts: 500 } });
    expect(merged.problems.map(({ message }) => message)).toEqual([
      'is too large to be read here in its layout; at a terminal: lanyard kubeconfig import',
    ]);
    expect((await readKubeconfigs([path])).users.size).toBe(200);
  });

  test.skipIf(withoutModes)('that may not be read', async () => {
    const path = write('config', cluster('c'));
    chmodSync(path, 0);
    const { problems } = await readKubeconfigs([path]);
    expect(problems.map(({ message }) => message)).toEqual(['can’t be read (EACCES)']);
  });

  test('is told with its text as it stands, where it leads and its mode', async () => {
    const text = `\uFEFF# c\r\n${cluster('c').replaceAll('\n', '\r\n')}`;
    const target = write('real/config', text);
    chmodSync(target, 0o640);
    const path = withoutLinks ? target : join(folder, 'config');
    if (!withoutLinks) {
      symlinkSync('real/config', path);
    }
    const merged = await readKubeconfigs([path, join(folder, 'none')]);
    expect(merged.files).toEqual([
      { path, target, text, mode: onWindows ? null : 0o640 },
      { path: join(folder, 'none'), target: join(folder, 'none'), text: null, mode: null },
    ]);
    expect(merged.clusters.get('c')?.origin).toEqual({ file: path, line: 3, name: 'c' });
  });

  test('that is the null device means none', async () => {
    expect(await readKubeconfigs([devNull])).toMatchObject({ problems: [], currentContext: null });
  });
});

const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const keyPem = '-----BEGIN PRIVATE KEY-----\nc4n4ry\n-----END PRIVATE KEY-----\n';

describe('files that entries name', () => {
  test.skipIf(withoutLinks)(
    'are looked for beside the file that names them, not beside where it leads',
    async () => {
      write('a/pem/ca.pem', pem);
      write('real/pem/ca.pem', 'wrong');
      write('real/config', cluster('c', '{certificate-authority: ./pem/ca.pem}'));
      symlinkSync('../real/config', join(folder, 'a', 'config'));
      const { clusters } = await readKubeconfigs([join(folder, 'a', 'config')]);
      expect(clusters.get('c')?.certificateAuthority).toEqual({
        ok: true,
        path: join(folder, 'a/pem/ca.pem'),
        pem,
      });
    },
  );

  test('data goes before a path, whose file is not read', async () => {
    const both = (key: string) => `${key}: /nowhere, ${key}-data: ${btoa(pem)}`;
    const file = write(
      'config',
      `${cluster('c', `{${both('certificate-authority')}}`)}${user('u', `{${both('client-certificate')}, ${both('client-key')}}`)}`,
    );
    const { clusters, users } = await readKubeconfigs([file]);
    expect(clusters.get('c')?.certificateAuthority).toEqual({ ok: true, path: null, pem });
    const { clientCertificate, clientKey } = users.get('u') ?? {};
    expect(clientCertificate).toEqual({ ok: true, path: null, pem });
    expect(clientKey).toMatchObject({ ok: true, path: null });
    expect(clientKey?.ok && clientKey.pem.reveal()).toBe(pem);
  });

  test.each<[string, string, string]>([
    ['that is not there', 'none', 'FOLDER/none does not exist'],
    ['that is a folder', '.', 'FOLDER is not a file'],
    ['that is too large', 'large', 'FOLDER/large is larger than 1048576 bytes, or growing'],
    ['with a NUL in its name', 'a\\0b', 'its path holds a NUL character'],
  ])('a file %s is that entry’s fault alone', async (_, path, fault) => {
    write('large', Buffer.alloc(1024 * 1024 + 1, 'x'));
    const file = write(
      'config',
      `${cluster('c', `{server: x, certificate-authority: "${path}"}`)}${user('u', `{tokenFile: "${path}", client-key: "${path}", client-certificate: "${path}"}`)}`,
    );
    const { clusters, users, problems } = await readKubeconfigs([file]);
    const expected = {
      ok: false,
      fault: fault.replace(/FOLDER(\/?)/, (_all, slash) => (slash === '' ? folder : join(folder, '/'))),
    };
    expect(problems).toEqual([]);
    expect(clusters.get('c')).toMatchObject({ server: 'x', certificateAuthority: expected });
    expect(users.get('u')).toMatchObject({
      tokenFile: expected,
      clientKey: expected,
      clientCertificate: expected,
    });
  });

  test.each(['a', 'YWJ', 'YWJj=', 'YW Jj', '_-_-', '====', 'Y=Jj'])(
    'data that is not base64 is a fault: %s',
    async (data) => {
      const file = write(
        'config',
        `${cluster('c', `{certificate-authority-data: "${data}"}`)}${user('u', `{client-key-data: "${data}"}`)}`,
      );
      const merged = await readKubeconfigs([file]);
      const fault = { ok: false, path: null, fault: 'its data is not base64' };
      expect(merged.clusters.get('c')?.certificateAuthority).toEqual(fault);
      expect(merged.users.get('u')?.clientKey).toEqual(fault);
      expect(merged.problems).toEqual([]);
    },
  );

  test('a token’s file is read without the white space around it, and must hold something', async () => {
    write('token', ' \n abc.def \r\n');
    write('blank', ' \n');
    const file = write(
      'config',
      'users:\n- {name: a, user: {tokenFile: token}}\n- {name: b, user: {tokenFile: blank}}\n',
    );
    const { users } = await readKubeconfigs([file]);
    const { tokenFile } = users.get('a') ?? {};
    expect(tokenFile?.ok && tokenFile.content.reveal()).toBe('abc.def');
    expect(users.get('b')?.tokenFile).toEqual({
      ok: false,
      path: join(folder, 'blank'),
      fault: `${join(folder, 'blank')} is empty`,
    });
  });

  test('a key in the certificate’s file is no part of the certificate', async () => {
    write('both.pem', `${keyPem}${pem}${keyPem}`);
    const data = btoa(`${pem}${keyPem.replace('-----END PRIVATE KEY-----\n', '')}`);
    const file = write(
      'config',
      `users:\n- {name: path, user: {client-certificate: both.pem, client-key: both.pem}}\n- {name: data, user: {client-certificate-data: ${data}}}\n`,
    );
    const { users } = await readKubeconfigs([file]);
    for (const name of ['path', 'data']) {
      expect(users.get(name)?.clientCertificate).toMatchObject({ ok: true, pem });
    }
    expect(inspect(users, { depth: 9 })).not.toContain('c4n4ry');
    const { clientKey } = users.get('path') ?? {};
    expect(clientKey?.ok && clientKey.pem.reveal()).toContain('c4n4ry');
  });

  test('more of them than are read at a time are all read', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `ca-${index}.pem`);
    for (const name of names) {
      write(name, `${name}\n`);
    }
    const file = write(
      'config',
      `clusters:\n${names.map((name) => `- {name: ${name}, cluster: {certificate-authority: ${name}}}\n`).join('')}`,
    );
    const { clusters } = await readKubeconfigs([file]);
    const read = [...clusters.values()].map(
      ({ certificateAuthority }) => certificateAuthority?.ok && certificateAuthority.pem,
    );
    expect(read).toEqual(names.map((name) => `${name}\n`));
  });
});

test('an ended signal ends it with its reason', async () => {
  const reason = new Error('enough');
  await expect(readKubeconfigs([join(folder, 'x')], { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );
});

test('on Windows a file has no mode: Node makes up 666 for each', async () => {
  const file = write('config', cluster('c'));
  chmodSync(file, 0o666);
  asOn('linux');
  expect((await readKubeconfigs([file])).files[0]?.mode).toBe(0o666);
  asOn('win32');
  expect((await readKubeconfigs([file])).files[0]?.mode).toBeNull();
});
