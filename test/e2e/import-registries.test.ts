import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formsOf } from '../support/canary.ts';
import { builtHelper } from '../support/home.ts';
import { allOf, type Traffic } from './support/traffic.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

/** What this machine has already, imported in the page: docker’s logins, and a kubelet’s credential providers. */
const passwords = ['docker-canary-0123456789-of-ghcr-io', 'docker-canary-9876543210-of-quay-io'];
const secret = 'variable-canary-0123456789-of-the-provider';
const group = 'credentialprovider.kubelet.k8s.io/v1';

let bin: string;
let ui: UiHome;
let page: Page;
let traffic: Traffic;
let dockerFile: string;
let dockerText: string;
let kubelet: string;

beforeAll(async () => {
  bin = mkdtempSync(join(tmpdir(), 'ly-bin-'));
  symlinkSync(builtHelper, join(bin, 'docker-credential-lanyard'));
  ui = await openUiHome({ agent: { env: { PATH: `${bin}:${process.env['PATH']}` } } });
  const home = ui.home.env['HOME'] ?? '';
  mkdirSync(join(home, '.docker'));
  dockerFile = join(home, '.docker', 'config.json');
  const auth = (password = '') => ({ auth: Buffer.from(`robot:${password}`).toString('base64') });
  dockerText = `{\n\t"auths": ${JSON.stringify({ 'ghcr.io': auth(passwords[0]), 'quay.io': auth(passwords[1]) })}\n}\n`;
  writeFileSync(dockerFile, dockerText, { mode: 0o600 });
  kubelet = join(home, '.minikube/files/var/lib/kubelet');
  const plugins = join(kubelet, 'credential-provider');
  mkdirSync(plugins, { recursive: true });
  writeFileSync(join(plugins, 'ecr'), '#!/bin/sh\n');
  chmodSync(join(plugins, 'ecr'), 0o755);
  const provider = (name: string, env: object[]) => ({
    name,
    matchImages: [`${name}.example.com`],
    defaultCacheDuration: '12h',
    apiVersion: group,
    env,
  });
  writeFileSync(
    join(kubelet, 'providers.json'),
    JSON.stringify({
      apiVersion: 'kubelet.config.k8s.io/v1',
      kind: 'CredentialProviderConfig',
      providers: [provider('ecr', [{ name: 'ECR_TOKEN', value: secret }]), provider('gone', [])],
    }),
  );
  ({ page, traffic } = await ui.openPage({ height: 900 }));
});
afterAll(async () => {
  await ui?.dispose();
  rmSync(bin, { recursive: true, force: true });
});

const message = (text: string | RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text);

test('the start page offers to move docker’s logins', async () => {
  await page.getByRole('heading', { name: 'Clusters', level: 1 }).waitFor();
  await page.getByText('2 logins in plain text').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('heading', { name: 'Import registries', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'All registries' }).click();
});

test('without registries the page offers both, and docker’s logins move into the vault and back', async () => {
  await page.getByText('2 logins in plain text').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const table = page.getByRole('table', { name: 'docker’s logins, and where they go' });
  await table.getByRole('row', { name: 'ghcr.io Moves into the vault' }).waitFor();
  await page.getByText('The nodes of kind, and other programs that read auths alone').waitFor();
  expect(readFileSync(dockerFile, 'utf8')).toBe(dockerText);
  await page.getByRole('button', { name: 'Move into the vault' }).click();
  await message('2 logins moved into the vault').waitFor();
  expect(JSON.parse(readFileSync(dockerFile, 'utf8'))).toEqual({
    auths: { 'ghcr.io': {}, 'quay.io': {} },
    credsStore: 'lanyard',
  });
  await page.getByText('docker stores its logins in Lanyard already').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await message('is as it was before').waitFor();
  expect(readFileSync(dockerFile, 'utf8')).toBe(dockerText);
});

test('what docker would lose is said, and nothing is offered then', async () => {
  writeFileSync(dockerFile, JSON.stringify({ ...JSON.parse(dockerText), credsStore: 'pass' }));
  await page.getByRole('link', { name: 'All registries' }).click();
  await page.getByRole('heading', { name: 'No registries yet' }).waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText(/names the credential store "pass".*docker would no longer find/).waitFor();
  await page.getByText('lanyard docker install').waitFor();
  expect(await page.getByRole('button', { name: 'Move into the vault' }).count()).toBe(0);
});

test('a kubelet’s providers are found, planned with reasons, written as pending, and undone', async () => {
  await page.getByRole('button', { name: `Choose ${join(kubelet, 'providers.json')}` }).click();
  const table = page.getByRole('table', { name: 'Providers, and what they become' });
  await table.getByRole('row', { name: /^ecr ecr\.example\.com Account ecr, registry ecr/ }).waitFor();
  await table
    .getByRole('row', { name: /^gone .* Stays: plugin binary executable \S+ did not exist/ })
    .waitFor();
  await page.getByText('variables ECR_TOKEN (in the vault)').waitFor();
  await page.getByRole('button', { name: 'Show the change of config.yaml' }).click();
  await page.getByText('+registries:').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await message('ecr is written into config.yaml').waitFor();
  const grid = page.getByRole('grid', { name: 'Registries' });
  await grid.getByRole('row', { name: /ecr.*Pending approval/ }).waitFor();
  expect(parse(readFileSync(ui.home.file('config'), 'utf8')).registries).toEqual({
    ecr: { matchImages: ['ecr.example.com'], account: 'ecr' },
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await message('The import is undone').waitFor();
  await page.getByRole('heading', { name: 'No registries yet' }).waitFor();
  expect(readFileSync(ui.home.file('config'), 'utf8')).not.toContain('ecr');
});

test('what is wrong with a configuration is said in the kubelet’s words', async () => {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('textbox', { name: 'Configuration' }).fill('relative.yaml');
  await page.getByText('Enter an absolute path, starting with /').waitFor();
  const twice = ui.home.write(
    'twice.yaml',
    readFileSync(join(kubelet, 'providers.json'), 'utf8').replace('gone', 'ecr'),
  );
  await page.getByRole('textbox', { name: 'Configuration' }).fill(twice);
  await page.getByRole('textbox', { name: 'Plugin folder' }).fill(kubelet);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Duplicate provider name "ecr" found' }).waitFor();
});

test('no secret came to the page', () => {
  const heard = Buffer.from(allOf(traffic));
  expect(heard.includes('docker.install')).toBe(true);
  const found = [...passwords, secret].filter((each) => formsOf(each).some((form) => heard.includes(form)));
  expect(found).toEqual([]);
});
