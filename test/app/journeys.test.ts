import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DesktopStage, openDesktopStage } from '../support/electron/desktop-stage.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';

/** A person's login by the tray: the built app on the stand-in, with a real provider, helper, kubectl and API server. */

const { newest: kubectl } = findKubectls();
let on: DesktopStage;
beforeAll(async () => {
  on = await openDesktopStage({
    extend(config) {
      const { oidc } = config.accounts['corp'] as { oidc: object };
      // The provider gives a refresh token to who consents.
      const corp = { oidc: { ...oidc, extraParams: { prompt: 'consent' } } };
      const { prod } = config.clusters;
      config.accounts = { corp };
      config.clusters = { prod: prod ?? {}, stage: prod ?? {} };
    },
  });
});
afterAll(() => on?.dispose());

it('a login from the tray’s menu: the browser opens, the user logs in, kubectl works, and the tray shows it all', async () => {
  const { stage } = on;
  const desktop = on.desktop();
  const toolTip = (text: string | RegExp) =>
    expect.poll(async () => (await desktop.tray()).toolTip).toMatch(text);

  await toolTip(/^Lanyard: 1 account needs a login$/);
  const before = await desktop.tray();
  expect(before.picture).toMatch(/^need-/);
  expect(before.menu.slice(0, 2)).toEqual(['Needs attention', 'Log in to corp (2 clusters)…']);

  const address = await on.opens(() => desktop.choose('Log in to corp (2 clusters)…'));
  expect(new URL(address).origin).toBe(new URL(stage.provider.issuer).origin);
  expect(address).toMatch(/^https:/);
  await expect.poll(async () => (await desktop.tray()).menu).toContain('Logging in to corp…');
  expect((await desktop.tray()).menu).not.toContain('Log in to corp (2 clusters)…');

  expect(await stage.provider.person.logInAt(address, { login: 'alice' })).toMatchObject({ status: 200 });
  await toolTip(/^Lanyard: all well$/);
  const after = await desktop.tray();
  expect(after.picture).toMatch(/^good-/);
  expect(after.menu.join()).not.toContain('Log in');
  expect(await desktop.notifications()).toEqual([]);

  const kubeconfig = await stage.writeKubeconfig(execVersion(kubectl));
  const pods = await stage.kubectl(kubectl, kubeconfig, ['--context', 'prod', 'get', 'pods', '-o', 'name']);
  expect(pods.code, pods.stderr).toBe(0);
  expect(pods.stdout).toContain('pod/');
});

it('programs without a terminal wait for a login, the user is told once by whom, and a click lets them continue', async () => {
  const { stage } = on;
  const desktop = on.desktop();
  const out = await stage.lanyard(['logout', 'corp']);
  expect(out.code, out.stderr).toBe(0);
  const kubeconfig = await stage.writeKubeconfig(execVersion(kubectl));
  const get = () =>
    stage.start(kubectl.path, ['--context', 'prod', 'get', 'pods', '-o', 'name'], {
      env: { KUBECONFIG: kubeconfig },
      input: '',
    });

  const first = get();
  expect(await desktop.notification('Log in to corp')).toMatchObject({
    body: expect.stringMatching(/^kubectl.* waits until you do\.$/),
    isShown: true,
  });
  await first.waitForLine(/corp needs a login: log in at the desktop/);
  const second = get();
  await second.waitForLine(/corp needs a login: log in at the desktop/);
  await expect
    .poll(async () => (await desktop.tray()).menu.join())
    .toMatch(/Log in to corp .*2 more|1 more wait/);

  // A quit says who waits; No is the default, and was the answer.
  await on.app().evaluate((standIn) => standIn.app.quit());
  const boxes = () => on.app().evaluate((standIn) => standIn.boxes);
  await expect.poll(async () => (await boxes()).length).toBe(1);
  expect((await boxes())[0]).toMatchObject({
    message: 'Quit Lanyard?',
    detail: expect.stringMatching(/kubectl.* and 1 more wait for a login of corp/),
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  });

  const address = await on.opens(() => desktop.clickNotification('Log in to corp'));
  await stage.provider.person.logInAt(address, { login: 'alice' });
  for (const { code, stdout, stderr } of await Promise.all([first.ended, second.ended])) {
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('pod/')]);
  }
  const told = await desktop.notifications();
  expect(told.map(({ title, isShown }) => [title, isShown])).toEqual([['Log in to corp', false]]);
});
