import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlatformHome } from './platform-home.ts';

// A wrapped exec plugin from config.yaml to the client: found by its bare name, run in the broker's place and in the
// caller's own helper. On Windows it is a batch file.

const server = 'https://127.0.0.1:6443';
const isWindows = process.platform === 'win32';
/** What a shell could take for something else. */
const traps = ['two words', '"&echo hi', '^&echo hi', 'a" b', 'a\\', '', '$HOME', '`id`', '(x)', 'größe'];

const home = new PlatformHome();
afterAll(() => home.dispose());

beforeAll(async () => {
  const folder = join(home.outside, 'plugin folder');
  mkdirSync(folder, { mode: 0o700 });
  const script = join(folder, 'answer.mjs');
  // Its token tells what it got.
  writeFileSync(
    script,
    `const told = { args: process.argv.slice(2), search: process.env.PATH, mine: process.env.MINE_A ?? null };
     const token = Buffer.from(JSON.stringify(told)).toString('base64url');
     const apiVersion = JSON.parse(process.env.KUBERNETES_EXEC_INFO).apiVersion;
     process.stdout.write(JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token } }));`,
    { mode: 0o600 },
  );
  const [name, text] = isWindows
    ? ['my-plugin.cmd', `@"${process.execPath}" "${script}" %*\r\n`]
    : ['my-plugin', `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`];
  writeFileSync(join(folder, name), text, { mode: 0o700 });
  const execPlugin = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'my-plugin',
    args: traps,
    interactiveMode: 'Never',
    searchPath: folder,
  };
  home.writeConfig({
    accounts: { shared: { execPlugin }, own: { execPlugin: { ...execPlugin, share: false } } },
    clusters: { shared: { server, account: 'shared' }, own: { server, account: 'own' } },
  });
  await home.startAgent();
});

test.each([
  ['shared', 'in the broker’s place', null],
  ['own', 'in the caller’s own helper, with its variables', 'a'],
])('the plugin of %s runs %s, and gets each argument as it is', async (account, _, mine) => {
  const { code, stdout, stderr } = await home.lanyard(
    ['kube-credential', '--account', account, '--cluster', account],
    {
      env: {
        MINE_A: 'a',
        KUBERNETES_EXEC_INFO: JSON.stringify({
          apiVersion: 'client.authentication.k8s.io/v1',
          kind: 'ExecCredential',
          spec: { interactive: false, cluster: { server } },
        }),
      },
    },
  );
  expect([code, stderr]).toEqual([0, '']);
  const told = JSON.parse(Buffer.from(JSON.parse(stdout).status.token, 'base64url').toString());
  expect(told).toEqual({ args: traps, search: join(home.outside, 'plugin folder'), mine });
});
