import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { Secret } from '../../main/base/secret.ts';
import { noTexts } from '../../main/domain/testing/no-entries.ts';
import type { VaultContent } from '../../main/ports/vault.ts';
import { openVault } from '../../main/vault/index.ts';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { agree } from '../support/agree.ts';
import { bundled } from '../support/bundled.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { chosenPoints, isLong, seedInTitle } from '../support/long.ts';
import { run } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { mustBeGood } from '../support/stage.ts';
import { dependencies } from '../support/vault-parts.ts';

/** Of the long form, which kills at each of them. */
vi.setConfig({ testTimeout: 900_000 });

/** A vault as release 0.1.0 wrote it (its README.md says how it was made), opened by this code. */
const release = join(import.meta.dirname, '..', 'support', 'vault-0.1.0');
const passphrase = 'of the vault of 0.1.0';
const written = JSON.parse(readFileSync(join(release, 'content.json'), 'utf8'));
const config = parse(readFileSync(join(release, 'config.yaml'), 'utf8'));

let home: TestHome;
let agent: TestAgent | null;
beforeEach(() => {
  home = makeHome();
  agent = null;
  putVault();
  home.writeConfig(config);
  return async () => {
    await agent?.dispose();
    home.dispose();
  };
});

/** Both generations: a vault without its previous one counts as put back by hand. */
function putVault(): void {
  for (const name of ['vault', 'vault.previous']) {
    copyFileSync(join(release, name), join(home.path, name));
  }
}

/** What it holds, each secret as its SHA-256. */
async function content() {
  const vault = await openVault(dependencies(home.path, { passphrase: new Secret(passphrase) }));
  try {
    return digested(vault.read()) as typeof written;
  } finally {
    await vault.dispose();
  }
}

function digested(value: unknown): unknown {
  if (value instanceof Secret) {
    return `sha256:${createHash('sha256').update(value.reveal()).digest('hex')}`;
  }
  if (Array.isArray(value)) {
    return value.map(digested);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, digested(each)]))
    : value;
}

/** The same with what has come since, which says nothing of a vault of then. */
const asOfToday = (forms: VaultContent['confirmed']['forms']) => ({
  ...written,
  sessions: { corp: { ...written.sessions.corp, accessToken: null, ended: null } },
  confirmed: { ...noTexts, ...written.confirmed, forms },
  registryLogins: {},
  dockerConfigs: {},
});

async function startBroker(): Promise<void> {
  agent = await startAgent({ home, passphrase });
}
const status = async () => JSON.parse((await home.lanyard(['status', '--json'])).stdout);

function ask(account: string, cluster: string) {
  const { server, certificateAuthorityData } = config.clusters[cluster];
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      cluster: { server, 'certificate-authority-data': certificateAuthorityData },
    },
  };
  return home.lanyard(['kube-credential', '--account', account, '--cluster', cluster], {
    env: { KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  });
}

test('sessions, secrets, approvals, programs and backups are what they were', async () => {
  expect(await content()).toEqual(asOfToday(noTexts));
});

test('a broker serves what was approved then, and keeps its forms; what has another shape by now is pending', async () => {
  await startBroker();
  const { vault, held, accounts, idleLock } = await status();
  expect(vault.kind).toBe('open');
  expect(idleLock.afterIdleSeconds).toBe(8 * 3600);
  expect(held).toMatchObject([{ what: 'account', name: 'escaped' }]);
  expect(accounts.find(({ name }: { name: string }) => name === 'corp').subject).toContain('alice');
  const bot = await ask('bot', 'prod-bot');
  mustBeGood(bot);
  const { token } = JSON.parse(bot.stdout).status;
  expect(digested(new Secret(token))).toBe(written.secrets.bot.token);
  await agent?.stop();

  const { forms } = (await content()).confirmed;
  expect(Object.keys(forms.accounts).sort()).toEqual(['bot', 'corp', 'ops', 'plugin', 'u']);
  expect(Object.keys(forms.clusters).sort()).toEqual(Object.keys(written.confirmed.clusters).sort());
  expect(await content()).toEqual(asOfToday(forms));

  // A change from outside: what was approved in 0.1.0 goes on serving.
  const moved = { ...config.clusters['prod-bot'], server: 'https://elsewhere.example.com' };
  home.writeConfig({ ...config, clusters: { ...config.clusters, 'prod-bot': moved } });
  await startBroker();
  expect((await ask('bot', 'prod-bot')).stdout).toBe(bot.stdout);
  expect((await status()).held).toMatchObject([
    { what: 'account', name: 'escaped' },
    { what: 'cluster', name: 'prod-bot' },
  ]);
});

/** The vault of then, opened by the same passphrase for a thousandth of the work. Gives a way to put it back. */
async function cheapVault(): Promise<() => void> {
  const opener = { passphrase: new Secret(passphrase) };
  const vault = await openVault(dependencies(home.path, opener));
  expect(await vault.changePassphrase(opener, opener)).toEqual({ ok: true });
  await vault.dispose();
  const files = ['vault', 'vault.previous'].map((name) => join(home.path, name));
  const texts = files.map((file) => readFileSync(file));
  return () => {
    for (const [index, file] of files.entries()) {
      writeFileSync(file, texts[index] ?? '', { mode: 0o600 });
    }
  };
}

test(`killed between any two operations on files: the forms are kept, or none is, and the next start keeps them${seedInTitle}`, async () => {
  const program = await bundled('keep-forms-process');
  onTestFinished(() => program.dispose());
  /** One process that keeps the forms, killed before its operation number `at` on files, if any. */
  const keepForms = (at = 0) => run(process.execPath, [program.path, home.path, passphrase, String(at)]);
  const putBack = await cheapVault();
  const done = await keepForms();
  expect(done.code, done.stderr).toBe(0);
  const operations = Number(done.stdout);
  expect(operations).toBeGreaterThan(5);
  const kept = await content();
  expect(Object.keys(kept.confirmed.forms.accounts)).toHaveLength(5);
  const seen = new Set<string>();
  for (const at of chosenPoints(operations)) {
    putBack();
    const killed = await keepForms(at);
    expect(killed.signal, `at ${at}: ${killed.stderr}`).toBe('SIGKILL');
    const left = await content();
    const none = Object.keys(left.confirmed.forms.accounts).length === 0;
    expect(left, `at ${at}`).toEqual(none ? asOfToday(noTexts) : kept);
    seen.add(none ? 'none' : 'all');
    expect(readdirSync(home.path).filter((name) => name.startsWith('vault.tmp'))).toEqual([]);
    mustBeGood(await keepForms());
    expect(await content(), `after ${at}`).toEqual(kept);
  }
  if (isLong) {
    expect([...seen].sort()).toEqual(['all', 'none']);
  }
});

test('what has another shape by now is shown, and approved', async () => {
  await startBroker();
  const terminal = startOnTerminal(builtHelper, ['confirm'], { env: { ...home.env, TERM: 'xterm' } });
  const { code, shown } = await agree(terminal);
  expect(code).toBe(0);
  expect(shown).toContain('- extraParams: a=b=c');
  expect(shown).toContain('+ extraParams: a%3Db=c');
  expect((await status()).held).toEqual([]);
});
