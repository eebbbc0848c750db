import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DesktopStage, openDesktopStage } from '../support/electron/desktop-stage.ts';
import { startApp } from '../support/electron/program.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { credentialIn, stagePassphrase, until } from '../support/stage.ts';

/** A day of the machine around the app: sleep, the screen's lock, a second start, and the end. */

const { newest: kubectl } = findKubectls();
let on: DesktopStage;
beforeAll(async () => {
  on = await openDesktopStage({
    extend(config) {
      const { oidc } = config.accounts['corp'] as { oidc: object };
      // The provider gives a refresh token to who consents.
      const corp = { oidc: { ...oidc, extraParams: { prompt: 'consent' } } };
      const { prod = {} } = config.clusters;
      config.accounts = { corp };
      config.clusters = { prod };
      Object.assign(config, { lock: { withScreen: true } });
    },
  });
});
afterAll(() => on?.dispose());

const happens = (event: string) =>
  on.app().evaluate((standIn, name) => void standIn.power.happen(name), event);

it('a machine that sleeps renews nothing, and after the wake what is due is renewed without a caller', async () => {
  const { stage } = on;
  const { provider } = stage;
  provider.lifetimes.idTokenSeconds = 6;
  await on.logIn();
  await happens('suspend');
  const { token, expirationTimestamp = '' } = credentialIn(await stage.ask('corp'));
  provider.lifetimes.idTokenSeconds = 600;
  await until(() => (Date.now() > Date.parse(expirationTimestamp) ? true : null), 'the token’s end');
  expect(provider.counts.tokenRequests.refresh_token).toBe(0);
  await happens('resume');
  await stage.agent.waitForLog(/"oidc\.refreshed"/);
  expect(provider.counts.tokenRequests.refresh_token).toBe(1);
  expect(credentialIn(await stage.ask('corp')).token).not.toBe(token);
  expect(provider.counts.tokenRequests.refresh_token).toBe(1);
});

it('a locked screen locks: kubectl gets nothing, and the passphrase in a dialog opens it again', async () => {
  const { stage } = on;
  const desktop = on.desktop();
  const kubeconfig = await stage.writeKubeconfig(execVersion(kubectl));
  await happens('lock-screen');
  await expect.poll(async () => (await desktop.tray()).toolTip).toBe('Lanyard: locked');
  expect((await desktop.tray()).picture).toMatch(/^locked-/);
  const asked = await stage.ask('corp');
  expect([asked.code, asked.stdout]).toEqual([11, '']);
  const get = () => stage.kubectl(kubectl, kubeconfig, ['--context', 'prod', 'get', 'pods']);
  expect(await get()).toMatchObject({ code: 1, stderr: expect.stringContaining('exit code 11') });

  await happens('unlock-screen');
  expect((await desktop.tray()).menu).not.toContain('Lock');
  await desktop.choose('Unlock…');
  const dialog = await desktop.dialog();
  expect(await dialog.press('yes', { passphrase: 'a guess' })).toMatch(/passphrase/i);
  expect((await stage.ask('corp')).code).toBe(11);
  expect(await dialog.press('yes', { passphrase: stagePassphrase })).toContain('Lanyard is unlocked');
  await expect.poll(async () => (await desktop.tray()).toolTip).toBe('Lanyard: all well');
  expect((await get()).code).toBe(0);
  expect(stage.agentLogs()).not.toContain(stagePassphrase);
});

it('a second start passes on what it is for, and ends; the first shows it', async () => {
  const { stage } = on;
  const desktop = on.desktop();
  const second = (words: string[]) => startApp({ home: stage.home, words, ready: false });
  const hidden = await second(['--hidden']);
  expect((await hidden.ended).code).toBe(0);
  const shows = await second(['--show=#/accounts']);
  expect((await shows.ended).code).toBe(0);
  await desktop.drawn();
  expect(await desktop.route()).toBe('#/accounts');
  expect(
    await on
      .app()
      .evaluate(({ windows }) => windows.filter(({ loaded }) => loaded[0]?.startsWith('app:')).length),
  ).toBe(1);
  const locks = await second(['--lock']);
  expect((await locks.ended).code).toBe(0);
  await expect.poll(async () => (await desktop.tray()).toolTip).toBe('Lanyard: locked');
});

describe('the end', () => {
  /** What a broker that has ended leaves behind: no socket, and a lock that the next one gets. */
  const isGone = async () => {
    expect((await on.stage.lanyard(['status'])).code).toBe(17);
  };

  it('a quit without unfinished work asks nothing, and ends in order', async () => {
    await on.desktop().choose('Quit Lanyard');
    expect((await on.stage.agent.ended).code).toBe(0);
    await isGone();
  });
});
