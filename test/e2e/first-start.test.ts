import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, Stage } from '../support/stage.ts';
import { createStandInBrowser, type StandInBrowser } from '../support/stand-in-browser.ts';

const { newest } = findKubectls();
const base64 = (text: string) => Buffer.from(text).toString('base64');

let stage: Stage;
let chromium: Browser;
let display: StandInBrowser;

beforeAll(async () => {
  chromium = await launchChromium();
  display = createStandInBrowser();
  stage = await Stage.open({
    agent: { env: display.env },
    extend: (config) => {
      config.accounts = {};
      config.clusters = {};
    },
  });
});
afterAll(async () => {
  await chromium?.close();
  await stage?.dispose();
  display?.dispose();
});

/** What the broker opens next in the person's browser. */
async function nextOpened(known: number): Promise<string> {
  await expect.poll(() => display.opened().length, { timeout: 20_000 }).toBeGreaterThan(known);
  return display.opened()[known] ?? '';
}

test('three clicks lead from a kubeconfig with an OpenID user to the first kubectl get pods', async (context) => {
  if (!newest) {
    context.skip('needs kubectl');
    return;
  }
  const { api, provider, home } = stage;
  const folder = join(String(home.env['HOME']), '.kube');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'config');
  const flags = [
    'oidc-login',
    'get-token',
    `--oidc-issuer-url=${provider.issuer}`,
    `--oidc-client-id=${provider.clientId}`,
    '--oidc-extra-scope=email',
    '--oidc-extra-scope=groups',
    '--oidc-extra-scope=offline_access',
    ...(provider.caPem === null ? [] : [`--certificate-authority-data=${base64(provider.caPem)}`]),
  ];
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'prod',
      clusters: [
        { name: 'prod', cluster: { server: api.server, 'certificate-authority-data': base64(api.caPem) } },
      ],
      contexts: [{ name: 'prod', context: { cluster: 'prod', user: 'dev' } }],
      users: [
        {
          name: 'dev',
          user: {
            exec: {
              apiVersion: 'client.authentication.k8s.io/v1beta1',
              command: 'kubectl',
              args: flags,
              interactiveMode: 'IfAvailable',
            },
          },
        },
      ],
    }),
    { mode: 0o600 },
  );
  const started = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(started);
  const page = await (await chromium.newContext()).newPage();
  await page.goto(started.stdout.trim());
  let clicks = 0;
  const click = async (where: Page, name: string) => {
    clicks += 1;
    await where.getByRole('button', { name, exact: true }).click();
  };

  const windows = display.opened().length;
  await click(page, 'Import');
  const address = await nextOpened(windows);
  const confirming = await (await chromium.newContext()).newPage();
  await confirming.goto(address.startsWith('/') ? `file://${address}` : address);
  await click(confirming, 'Approve');

  await page.getByRole('heading', { name: /Now log in/ }).waitFor();
  expect(readFileSync(file, 'utf8')).toContain('lanyard');
  const pages = display.opened().length;
  await click(page, 'Log in');
  expect(clicks).toBe(3);
  // What comes now is the provider's own.
  const login = await nextOpened(pages);
  const theirs = await (await chromium.newContext({ ignoreHTTPSErrors: true })).newPage();
  await theirs.goto(login);
  await theirs.getByLabel('Name').fill('alice');
  await theirs.getByRole('button', { name: 'Log in' }).click();
  await theirs.getByRole('button', { name: 'Allow' }).click();

  await page.getByRole('heading', { name: '1 cluster imported', exact: true }).waitFor();
  await page.getByText('kubectl get pods', { exact: true }).waitFor();
  mustBeGood(await stage.kubectl(newest, file, ['get', 'pods']));
});
