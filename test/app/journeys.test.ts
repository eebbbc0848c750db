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
