import { afterEach, beforeEach, expect, it } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { type AppProgram, startApp } from '../support/electron/program.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { run, start } from '../support/processes.ts';
import { type SecretService, startSecretService } from '../support/secret-service.ts';
import { codeLine, until } from '../support/stage.ts';

/** With the real helper, broker and provider (rule: no-storms); Electron is the stand-in. */
let home: TestHome;
let provider: OpenIdProvider;
let keyring: SecretService;
let app: AppProgram;
beforeEach(async () => {
  home = makeHome();
  provider = await startOpenIdProvider({ tls: {} });
  keyring = await startSecretService();
  const certificateAuthority = home.write('ca.pem', provider.caPem ?? '');
  home.writeConfig({
    version: 1,
    accounts: {
      corp: {
        oidc: {
          issuer: provider.issuer,
          clientId: provider.clientId,
          scopes: ['openid'],
          certificateAuthority,
        },
      },
    },
    clusters: { prod: { server, certificateAuthority, account: 'corp' } },
  });
  const { DBUS_SESSION_BUS_ADDRESS = '', XDG_RUNTIME_DIR = '' } = keyring.env;
  // This desktop has no tray, which is looked for for a while: what is wanted of a person doesn't wait for that.
  app = await startApp({ home, env: { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR }, ready: false });
  await app.running.waitForLine(/"vault\.open"/);
  await until(async () => ((await home.lanyard(['status'])).code === 0 ? true : null), 'the broker');
});
afterEach(async () => {
  await app?.dispose();
  await keyring?.[Symbol.asyncDispose]();
  await provider?.dispose();
  home?.dispose();
});

const server = 'https://127.0.0.1:6443';

/** As a program without a terminal does: its client-go says that nobody is there. */
function ask() {
  const cluster = {
    server,
    'certificate-authority-data': Buffer.from(provider.caPem ?? '').toString('base64'),
  };
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster },
  };
  const running = start(builtHelper, ['kube-credential', '--account', 'corp'], {
    env: { ...home.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  });
  running.closeInput();
  return running;
}

const notified = () =>
  app.evaluate((standIn) =>
    standIn.notifications.map(({ options: { title, body }, isShown }) => ({ title, body, isShown })),
  );
const told = (count: number) =>
  until(async () => {
    const all = await notified();
    return all.length >= count ? all : null;
  }, `${count} notifications`);

it('programs without a terminal wait, the user is told once, and one login serves all', async () => {
  const callers = [ask(), ask(), ask()];
  const [only] = await told(1);
  expect(only).toMatchObject({ title: 'Log in to corp', isShown: true });
  expect(only?.body).toMatch(/until you do\.$/);
  for (const caller of callers) {
    await caller.waitForLine(/corp needs a login: log in at the desktop/);
  }
  expect(provider.counts.requests.device_authorization).toBe(0);

  const login = start(builtHelper, ['login', 'corp'], { env: home.env });
  login.closeInput();
  const [, code = ''] = await login.waitForLine(codeLine);
  await provider.person.approveDevice(code, { login: 'alice' });
  expect((await login.ended).code).toBe(0);
  const ended = await Promise.all(callers.map((caller) => caller.ended));
  for (const { code: exit, stdout, stderr } of ended) {
    expect(exit, stderr).toBe(0);
    expect(JSON.parse(stdout).status.token).toMatch(/^ey/);
    // One line, whatever happened.
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  expect(provider.counts.requests.device_authorization).toBe(1);
  await until(async () => ((await notified()).every(({ isShown }) => !isShown) ? true : null), 'its end');
  expect((await notified()).map(({ title }) => title)).toEqual(['Log in to corp']);
});

it('a caller that goes away takes its wait with it; while the screen is locked no program waits', async () => {
  const caller = ask();
  await told(1);
  caller.kill('SIGINT');
  await caller.ended;
  const wanted = async () => {
    const [first] = await notified();
    return first?.isShown ? null : true;
  };
  await until(wanted, 'the end of the wait');

  await app.evaluate((standIn) => {
    standIn.power.idleState = 'locked';
  });
  const refused = await ask().ended;
  expect(refused.code).toBe(15);
  expect(refused.stderr).toContain('run: lanyard login corp');
});

it('a lock ends the wait', async () => {
  const caller = ask();
  await told(1);
  const locked = await run(builtHelper, ['lock'], { env: home.env });
  expect(locked.code, locked.stderr).toBe(0);
  const { code, stderr } = await caller.ended;
  expect(code).toBe(exitCodes.locked);
  expect(stderr).toContain('lanyard is being locked');
});
