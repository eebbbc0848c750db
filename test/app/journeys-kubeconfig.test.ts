import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { type DesktopStage, openDesktopStage } from '../support/electron/desktop-stage.ts';
import { findKubectls } from '../support/kubectl.ts';
import { openPage, readAddress } from '../support/page-client.ts';
import { mustBeGood } from '../support/stage.ts';

/** The person's own kubeconfig, which the app changes when it is told to, and watches. */

const { newest: kubectl } = findKubectls();
const text = (current: string) => `# mine
apiVersion: v1
kind: Config
current-context: ${current}   # where I work
clusters: []
users: []
contexts:
- {name: one, context: {cluster: c, user: u}}
- {name: two, context: {cluster: c, user: u}}
`;

let on: DesktopStage;
let file: string;
beforeAll(async () => {
  on = await openDesktopStage({
    extend(_, { home }) {
      file = join(home.env['HOME'] ?? '', '.kube', 'config');
      mkdirSync(dirname(file));
      writeFileSync(file, text('one'), { mode: 0o600 });
    },
  });
});
afterAll(() => on?.dispose());

const run = async (...args: string[]) => {
  const done = await on.stage.kubectl(kubectl, file, args);
  mustBeGood(done);
  return done.stdout.trim();
};

it('a context that is chosen in the tray’s menu is kubectl’s, and nothing else of the file has changed', async () => {
  const desktop = on.desktop();
  const menu = () => desktop.tray().then((tray) => tray.menu);
  await expect.poll(menu).toContain('*Switch context > one');
  await desktop.choose('Switch context', 'two');
  await expect.poll(menu).toContain('*Switch context > two');
  expect(await run('config', 'current-context')).toBe('two');
  expect(readFileSync(file, 'utf8')).toBe(text('two'));
  // The menu follows kubectl, too.
  await run('config', 'use-context', 'one');
  await expect.poll(menu).toContain('*Switch context > one');
});

it('a user that another program writes into it is reported once, and a click leads to its import', async () => {
  const { stage } = on;
  const desktop = on.desktop();
  const certificate = stage.home.write('kind.crt', stage.opsCertificate.chainPem);
  const key = stage.home.write('kind.key', stage.opsCertificate.keyPem);
  const ca = stage.home.write('kind-ca.crt', stage.api.caPem);
  const name = 'kind-dev';
  await run(
    'config',
    'set-cluster',
    name,
    `--server=${stage.api.server}`,
    '--embed-certs',
    `--certificate-authority=${ca}`,
  );
  await run(
    'config',
    'set-credentials',
    name,
    '--embed-certs',
    `--client-certificate=${certificate}`,
    `--client-key=${key}`,
  );
  await run('config', 'set-context', name, `--cluster=${name}`, `--user=${name}`);
  const { title, body } = await desktop.notification(/kind-dev is new in \.kube\/config/);
  expect(body).not.toContain('PRIVATE KEY');
  await desktop.clickNotification(title);
  await desktop.drawn();
  expect(await desktop.route()).toBe('#/import');
  // What kubectl writes next is no news.
  await run('config', 'use-context', name);
  const menu = () => desktop.tray().then((tray) => tray.menu);
  await expect.poll(menu).toContain(`*Switch context > ${name}`);
  expect((await desktop.notifications()).filter((each) => each.title === title)).toHaveLength(1);
  expect(await run('get', 'pods', '-o', 'name')).toContain('pod/');
});

it('a page can’t restore an imported file with its secrets: a dialog does', async () => {
  const { stage } = on;
  const desktop = on.desktop();
  const before = readFileSync(file, 'utf8');
  const done = await stage.lanyard(['kubeconfig', 'import', '--in-place', '--yes', file]);
  expect(done.code, done.stderr).toBe(exitCodes.pending);
  const imported = readFileSync(file, 'utf8');
  expect([before.includes('client-key-data'), imported.includes('client-key-data')]).toEqual([true, false]);
  const invited = await stage.lanyard(['ui', '--no-open']);
  const { host, ticket } = readAddress(invited.stdout);
  const { page } = await openPage(host, ticket);
  page.send({ kind: 'call', id: 1, name: 'import.undo', input: { file } });
  expect(await page.until('reply')).toMatchObject({ id: 1, output: { message: null } });
  const dialog = await desktop.dialog();
  expect(dialog.text).toContain('in plain text again');
  expect(readFileSync(file, 'utf8')).toBe(imported);
  await dialog.press('yes');
  expect(readFileSync(file, 'utf8')).toBe(before);
});
