import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownBusName } from '../support/bus-name.ts';
import { installApp } from '../support/electron/installed-app.ts';
import { makeHome } from '../support/home.ts';
import { startOpenIdProvider } from '../support/openid-provider.ts';
import { ordinaryUser, whyNoOrdinaryUser } from '../support/ordinary-user.ts';
import { run, start } from '../support/processes.ts';
import { startSecretService } from '../support/secret-service.ts';
import { credentialIn, mustBeGood, until } from '../support/stage.ts';
import { createStandInBrowser } from '../support/stand-in-browser.ts';
import { unless } from '../support/unless.ts';

it(
  'an app that was killed is started again by the next helper, with its tray, and who was logged in still is',
  unless(whyNoOrdinaryUser),
  async () => {
    await using stack = new AsyncDisposableStack();
    const home = stack.adopt(makeHome(), (each) => each.dispose());
    const keyring = stack.use(await startSecretService());
    const { DBUS_SESSION_BUS_ADDRESS = '', XDG_RUNTIME_DIR = '' } = keyring.env;
    stack.adopt(await ownBusName(DBUS_SESSION_BUS_ADDRESS, 'org.kde.StatusNotifierWatcher'), (each) =>
      each.dispose(),
    );
    const provider = stack.adopt(await startOpenIdProvider({ tls: {} }), (each) => each.dispose());
    const browser = stack.adopt(createStandInBrowser(), (each) => each.dispose());
    const folder = join(home.outside, 'app');
    mkdirSync(folder);
    const installed = installApp(folder);
    // The person's own home: only there a helper starts a broker by itself.
    const data = join(home.env['XDG_DATA_HOME'] ?? '', 'lanyard');
    const settings = join(home.env['XDG_CONFIG_HOME'] ?? '', 'lanyard');
    mkdirSync(settings, { recursive: true, mode: 0o700 });
    const server = 'https://127.0.0.1:6443';
    const certificateAuthority = home.write('ca.pem', provider.caPem ?? '');
    const oidc = { issuer: provider.issuer, clientId: provider.clientId, certificateAuthority };
    const config = {
      version: 1,
      accounts: { corp: { oidc: { ...oidc, scopes: ['openid', 'offline_access'] } } },
      clusters: { prod: { server, certificateAuthority, account: 'corp' } },
    };
    writeFileSync(join(settings, 'config.yaml'), JSON.stringify(config), { mode: 0o600 });
    const env = {
      ...home.env,
      ...browser.env,
      DBUS_SESSION_BUS_ADDRESS,
      XDG_RUNTIME_DIR,
      LANYARD_HOME: undefined,
    };

    const app = start(installed.program, ['--hidden'], { env });
    stack.adopt(app, (each) => each.dispose());
    app.closeInput();
    await app.waitForLine(/"app\.ready"/);
    const helper = join(data, 'bin', 'lanyard');
    const login = run(helper, ['login', 'corp'], { env });
    const address = await until(() => browser.opened()[0], 'the login');
    await provider.person.logInAt(address);
    mustBeGood(await login);
    const cluster = {
      server,
      'certificate-authority-data': Buffer.from(provider.caPem ?? '').toString('base64'),
    };
    const info = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false, cluster },
    };
    // Through a client of its own: a broker that is started gets what the client was started with.
    const line = '"$0" kube-credential --account corp; exit $?';
    const [program = '', ...words] = [...ordinaryUser, '/bin/sh', '-c', line, helper];
    const ask = () => run(program, words, { env: { ...env, KUBERNETES_EXEC_INFO: JSON.stringify(info) } });
    const { token } = credentialIn(await ask());

    app.kill('SIGKILL');
    await app.ended;
    const again = credentialIn(await ask());
    const status = await run(helper, ['status', '--json'], { env });
    const { pid } = JSON.parse(status.stdout).broker as { pid: number };
    stack.defer(async () => {
      process.kill(pid, 'SIGTERM');
      await until(() => (isThere(pid) ? null : true), 'its end');
    });
    expect(again.token).toBe(token);
    expect(pid).not.toBe(app.pid);
    await until(
      () => readFileSync(join(data, 'agent.log'), 'utf8').includes('"app.ready"') || null,
      'the app',
    );
    expect(browser.opened()).toHaveLength(1);
  },
);

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
