import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DesktopStage, openDesktopStage } from '../support/electron/desktop-stage.ts';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';

/** What only a person decides, from the notification to the dialog and what kubectl makes of the answer. */

const { newest: kubectl } = findKubectls();
let on: DesktopStage;
let stranger: KubernetesApi;
let kubeconfig: string;
beforeAll(async () => {
  on = await openDesktopStage({
    extend({ clusters }) {
      clusters['each'] = { ...clusters['prod-bot'], approval: 'always' };
    },
  });
  const { stage } = on;
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig(execVersion(kubectl));
  stranger = await startKubernetesApi({ staticTokens: { [stage.botToken]: { name: 'bot', groups: [] } } });
});
afterAll(async () => {
  await stranger?.dispose();
  await on?.dispose();
});

/** kubectl where nobody sits at a terminal. */
const get = (context: string, file = kubeconfig) =>
  on.stage.start(kubectl.path, ['--context', context, 'get', 'pods', '-o', 'name'], {
    env: { KUBECONFIG: file },
    input: '',
  });

it('an approval: a notification names the program, a dialog asks, and a Yes lets kubectl continue', async () => {
  const desktop = on.desktop();
  const asking = get('each');
  const { title, body } = await desktop.notification(/waits for your answer/);
  expect(title).toMatch(/^kubectl/);
  expect(body).toMatch(/^kubectl.* wants to use each as bot\.$/);
  const { picture, toolTip, menu } = await desktop.tray();
  expect([picture, toolTip]).toEqual([
    expect.stringMatching(/^need-/),
    expect.stringMatching(/1 question waits/),
  ]);
  expect(menu[0]).toMatch(/^kubectl.* wants to use each…$/);

  await desktop.clickNotification(title);
  const dialog = await desktop.dialog();
  expect(dialog.text).toMatch(/kubectl.* wants to use each as bot/);
  expect(dialog.text).toContain(on.stage.api.server);
  expect(dialog.text).toMatch(/process\s+\d+/);
  expect(dialog.html).not.toContain(on.stage.botToken);
  expect(await dialog.press('yes')).toContain('Allowed');
  const { code, stdout, stderr } = await asking.ended;
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining('pod/')]);
  await expect.poll(() => desktop.dialogs()).toBe(0);
  await expect.poll(async () => (await desktop.notifications()).some(({ isShown }) => isShown)).toBe(false);
});

it('a No denies, and a closed dialog leaves the question as it was', async () => {
  const desktop = on.desktop();
  const asking = get('each');
  await expect.poll(async () => (await desktop.tray()).menu[0]).toMatch(/wants to use each…$/);
  const [line = ''] = (await desktop.tray()).menu;
  await desktop.choose(line);
  await desktop.dialog();
  await on.app().evaluate((standIn) =>
    standIn.windows
      .filter((each) => each.isVisible())
      .at(-1)
      ?.close(),
  );
  expect((await desktop.tray()).menu[0]).toBe(line);
  await desktop.choose(line);
  expect(await (await desktop.dialog()).press('no')).toContain('Denied');
  const { code, stderr } = await asking.ended;
  expect(code).not.toBe(0);
  expect(stderr).toContain('the credential for each was not approved');
});

it('an unknown server: reported, added in a dialog under a name, and kubectl continues', async () => {
  const { stage } = on;
  const desktop = on.desktop();
  const file = stage.home.write(
    'stranger.yaml',
    kubeconfigText(
      { server: stranger.server, caPem: stranger.caPem },
      {
        exec: {
          apiVersion: `client.authentication.k8s.io/${execVersion(kubectl)}`,
          command: stage.home.file('helper'),
          args: ['kube-credential', '--account', 'bot'],
          provideClusterInfo: true,
        },
      },
    ),
  );
  const asking = get('test', file);
  const line = () => desktop.tray().then(({ menu }) => menu[0] ?? '');
  await expect.poll(line).toMatch(/^kubectl.* wants to use an unknown server…$/);
  const { title } = await desktop.notification(
    new RegExp(`^kubectl.* waits for your answer: .*${stranger.server}`),
  );
  expect(stranger.requests).toEqual([]);
  await desktop.clickNotification(title);
  const dialog = await desktop.dialog();
  expect(dialog.text).toContain('Add this server?');
  expect(await dialog.press('yes', { name: 'edge' })).toContain('Added');
  const { code, stdout, stderr } = await asking.ended;
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining('pod/')]);
  // It is known from now on, under its name.
  const again = await get('test', file).ended;
  expect([again.code, await desktop.dialogs()], again.stderr).toEqual([0, 0]);
  expect((await stage.status()).clusters.map(({ name }: { name: string }) => name)).toContain('edge');
});

it('a change of config.yaml by hand is pending, reported, shown with its difference, and active after a Yes', async () => {
  const { stage } = on;
  const desktop = on.desktop();
  const { server } = stranger;
  const path = stage.home.file('config');
  const before = readFileSync(path, 'utf8');
  const known = JSON.stringify(stage.api.server);
  // As an editor or a pull of one's dotfiles: the cluster leads elsewhere.
  const at = before.indexOf(known, before.indexOf('"prod-ops"'));
  writeFileSync(path, `${before.slice(0, at)}${JSON.stringify(server)}${before.slice(at + known.length)}`);
  await desktop.notification('The cluster prod-ops was changed');
  const tray = await desktop.tray();
  expect([tray.menu[0], tray.toolTip]).toEqual([
    'Approve 1 change…',
    expect.stringMatching(/1 change to approve/),
  ]);
  await desktop.clickNotification('The cluster prod-ops was changed');
  const dialog = await desktop.dialog();
  expect(dialog.text).toContain('Approve this change?');
  expect(dialog.text).toContain(server);
  expect(dialog.text).toContain(stage.api.server);
  expect(await dialog.press('yes')).toContain('Change approved');
  await expect.poll(async () => (await desktop.tray()).menu[0]).not.toBe('Approve 1 change…');
  await expect.poll(async () => (await desktop.notifications()).filter(({ isShown }) => isShown)).toEqual([]);
  const { clusters } = await stage.status();
  const there = clusters.find(({ name }: { name: string }) => name === 'prod-ops');
  expect(JSON.stringify(there)).toContain(server);
  expect(there.state).not.toBe('held');
});
