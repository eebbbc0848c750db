import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { issueClientCertificate } from '../support/certificates.ts';
import { SoftHsm } from '../support/keys/softhsm.ts';
import { mustBeGood, Stage, until } from '../support/stage.ts';
import { createStandInBrowser } from '../support/stand-in-browser.ts';
import { afternoonZone, type Camera } from './camera.ts';
import type { Person } from './person.ts';

const pin = '1234';
const day = 86_400_000;

/** A broker with one account, whose key is on a token. */
export interface TokenWorld {
  stage: Stage;
  /** What the broker had opened in the system's browser. */
  opened(): string[];
  dispose(): Promise<void>;
}

export async function openTokenWorld(person: Person): Promise<TokenWorld> {
  await using stack = new AsyncDisposableStack();
  const display = stack.adopt(createStandInBrowser(), (each) => each.dispose());
  const tokens = stack.adopt(new SoftHsm(), (each) => each.dispose());
  // Its path is seen.
  const module = join(person.home, 'lib', 'opensc-pkcs11.so');
  mkdirSync(dirname(module));
  copyFileSync(tokens.module, module);
  const stage = stack.adopt(
    await Stage.open({
      agent: { env: { ...display.env, TZ: afternoonZone() } },
      extend: async (config, { api, home, clientCa }) => {
        const life = {
          notBefore: new Date(Date.now() - 200 * day),
          notAfter: new Date(Date.now() + 165 * day),
        };
        const about = { commonName: 'dev', organizations: ['platform'], key: 'P-256' as const };
        const pair = await issueClientCertificate(clientCa, { ...about, ...life });
        tokens.addToken('Corp ID', [{ label: 'auth', id: 1, ...pair }], pin);
        const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
        const certificateAuthority = home.write('api-ca.pem', api.caPem);
        const cluster = { server: api.server, certificateAuthority, account: 'badge', proxy: {} };
        config.accounts = { badge: { pkcs11: { module, token: 'Corp ID', label: 'auth', env } } };
        config.clusters = { plant: cluster, warehouse: cluster };
      },
    }),
    (each) => each.dispose(),
  );
  const kept = stack.move();
  return { stage, opened: display.opened, dispose: () => kept.disposeAsync() };
}

/** The window for the PIN, and the account once it was given. */
export async function takeToken(camera: Camera, { stage, opened }: TokenWorld): Promise<void> {
  const { page, context } = camera;
  await camera.go('#/accounts/badge', 'Login needed');
  const before = opened().length;
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  const file = await until(() => opened()[before] ?? null, 'the window');
  const window = await context.newPage();
  await window.goto(file.startsWith('/') ? pathToFileURL(file).href : file);
  await window.waitForURL(/^http:\/\/127\.0\.0\.1/);
  await camera.take('window-pin', window);
  await window.getByLabel('PIN').fill(pin);
  await window.keyboard.press('Enter');
  await window.getByRole('heading', { name: 'Logged in' }).waitFor();
  await window.close();
  await page.getByRole('main').getByText('SHA-256').last().waitFor();
  await page.getByText('Logged in to badge as dev.').waitFor({ state: 'detached' });
  await camera.take('account-token');
  mustBeGood(await stage.lanyard(['logout', 'badge']));
}
