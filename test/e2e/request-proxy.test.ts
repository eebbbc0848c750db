import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../support/certificates.ts';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, type Stage } from '../support/stage.ts';
import { axeFindings } from './support/axe.ts';
import { pressWhenRead, untilAnswered } from './support/press-when-read.ts';
import { openUiStage, type UiStage } from './support/ui-stage.ts';

/** A cluster is put behind the request proxy in the page, and its requests are seen and ended there (docs/adr/0030). */
let ui: UiStage;
let stage: Stage;
let page: Page;
let server: Server;
const seen: IncomingHttpHeaders[] = [];
const open: ServerResponse[] = [];

/** Answers at once; what is asked of /slow begins and never ends. */
async function startServer(): Promise<{ address: string; caPem: string }> {
  const ca = await createCa('fronted');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  server = createServer({ cert, key }, ({ url, headers }, response) => {
    seen.push(headers);
    response.writeHead(200, { 'content-type': 'text/plain' });
    if (url === '/slow') {
      open.push(response);
      response.write('x'.repeat(2048));
    } else {
      response.end('good');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, caPem: ca.certificatePem };
}

beforeAll(async () => {
  ui = await openUiStage({
    extend: async (config, { home }) => {
      const { address, caPem } = await startServer();
      config.accounts['pair'] = { staticToken: {} };
      config.accounts['keys'] = { aws: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' } };
      config.clusters['fronted'] = {
        server: address,
        certificateAuthority: home.write('fronted-ca.pem', caPem),
        account: 'bot',
      };
    },
  });
  stage = ui.stage;
  await stage.setSecrets();
  mustBeGood(await stage.lanyard(['secret', 'set', 'pair'], { input: 'pair-secret' }));
  mustBeGood(await stage.lanyard(['secret', 'set', 'keys/secretAccessKey'], { input: 'key-of-aws' }));
  ({ page } = await ui.openPage({ height: 1000, at: '#/clusters/fronted' }));
});
afterAll(async () => {
  await ui?.dispose();
  server?.closeAllConnections();
  server?.close();
});

const detail = () => page.getByRole('complementary', { name: 'Cluster fronted' });
const field = (label: string) => detail().getByLabel(label, { exact: true });

async function tab(name: string): Promise<void> {
  await detail().getByRole('tab', { name }).focus();
  await page.keyboard.press('Enter');
}

async function raw(path: string) {
  const kubeconfig = await stage.writeKubeconfig();
  return stage.kubectl(findKubectls().newest, kubeconfig, ['--context', 'fronted', 'get', '--raw', path]);
}

async function jsonOf(args: readonly string[]) {
  const done = await stage.lanyard(args);
  mustBeGood(done);
  return JSON.parse(done.stdout);
}

/** In the broker’s own window, which says all of this. */
async function approve(says: readonly (string | RegExp)[]): Promise<void> {
  const window = await ui.ownWindow(() =>
    detail().getByRole('button', { name: 'Review and approve…' }).click(),
  );
  for (const each of says) {
    await window.getByText(each).first().waitFor();
  }
  await pressWhenRead(window, 'Approve');
  await untilAnswered(window, /approved$/);
  await detail().getByRole('heading', { name: 'Pending approval' }).waitFor({ state: 'detached' });
}

/** The focused control’s name. */
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

test('steps are added, ordered and removed by the keyboard, and take effect once approved', async () => {
  await tab('Settings');
  await field('Send requests through Lanyard’s request proxy').focus();
  await page.keyboard.press('Space');
  const add = detail().getByRole('button', { name: 'Add a step' });
  for (const _ of [1, 2, 3]) {
    await add.focus();
    await page.keyboard.press('Enter');
  }
  expect(await focused()).toBe('What step 3 does');
  await page.keyboard.press('Tab');
  await page.keyboard.type('CF-Access-Client-Id');
  await field('Value of step 3').focus();
  await page.keyboard.type('id.access');
  await field('Header of step 2').focus();
  await page.keyboard.type('CF-Access-Client-Secret');
  await field('Value of step 2').fill('hunter2');
  await field('Header of step 1').fill('X Y');
  await detail().getByText('Not a header’s name.').waitFor();
  await field('Remove step 1').focus();
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('Remove step 1');
  await detail().getByText('config.yaml holds no secrets: name an account that has it.').waitFor();
  await field('Source of step 1').selectOption('account');
  await detail().getByText('Choose an account.').waitFor();
  await field('Account of step 1').selectOption('pair');
  await field('Move step 2 up').focus();
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('Move step 1 up');
  await detail().getByRole('button', { name: 'Save' }).click();
  await detail().getByText('+ proxy step 1: set CF-Access-Client-Id: id.access').waitFor();
  await detail().getByText('+ proxy step 2: set CF-Access-Client-Secret from pair').waitFor();

  // Until then it is reached as before.
  expect((await raw('/version')).stdout).toBe('good');
  expect(seen.at(-1)).not.toHaveProperty('cf-access-client-id');

  await approve([
    'Changes what is sent with each request',
    'Sends further credentials',
    '+ proxy step 2: set CF-Access-Client-Secret from pair',
  ]);

  const done = await raw('/version');
  mustBeGood(done);
  expect(done.stdout).toBe('good');
  expect(seen.at(-1)).toMatchObject({
    authorization: `Bearer ${stage.botToken}`,
    'cf-access-client-id': 'id.access',
    'cf-access-client-secret': 'pair-secret',
  });
});

test('what is under way is shown with its program, and ended in the page and by the command', async () => {
  await tab('Requests');
  await detail().getByText('Set CF-Access-Client-Id: id.access').waitFor();
  expect(await detail().getByRole('link', { name: 'pair' }).getAttribute('href')).toBe('#/accounts/pair');
  await detail().getByText('No requests are under way.').waitFor();

  const one = raw('/slow');
  const row = detail().getByRole('listitem').filter({ hasText: '/slow' });
  await row.getByText(/2\.0 KiB received, 0 B sent$/).waitFor();
  await row
    .getByText(/kubectl/)
    .first()
    .waitFor();
  await row.getByRole('button', { name: /^End GET \/slow of kubectl/ }).click();
  await row.waitFor({ state: 'detached' });
  await detail().getByText('No requests are under way.').waitFor();
  expect((await one).code).not.toBe(0);

  const other = raw('/slow');
  await row.waitFor();
  const [request] = await jsonOf(['proxy', 'requests', 'fronted', '--json']);
  expect(request).toMatchObject({ cluster: 'fronted', method: 'GET', path: '/slow', bytesDown: 2048 });
  mustBeGood(await stage.lanyard(['proxy', 'end', String(request.id)]));
  expect((await other).code).not.toBe(0);
  await row.waitFor({ state: 'detached' });
  expect(await stage.lanyard(['proxy', 'end', String(request.id)])).toMatchObject({
    code: 14,
    stderr: expect.stringContaining('hint: lanyard proxy requests'),
  });
  const status = await jsonOf(['proxy', 'status', '--json']);
  expect(status).toMatchObject({
    running: { port: expect.any(Number) },
    clusters: ['fronted'],
    requests: 0,
    faults: [],
  });
});

test('a step that signs is added, and a tried request shows what each step made of it', async () => {
  await tab('Settings');
  await detail().getByRole('button', { name: 'Add a step' }).click();
  await field('What step 3 does').selectOption('sign');
  expect(await field('Account of step 3').locator('option').allTextContents()).toEqual([
    'Choose an account',
    'keys',
  ]);
  await field('Account of step 3').selectOption('keys');
  await field('Service of step 3').fill('execute-api');
  await field('Region of step 3').fill('eu-west-1');
  expect(await axeFindings(page)).toEqual([]);
  await detail().getByRole('button', { name: 'Save' }).click();
  await approve([/^\+ proxy step 3: sign/, /^Signs requests with/]);

  await tab('Requests');
  await field('Path').fill('version?timeout=5s');
  await page.keyboard.press('Enter');
  const result = detail().getByRole('tabpanel');
  await result.getByText('200 OK').waitFor();
  const signed = seen.at(-1)?.authorization;
  expect(seen.at(-1)).toMatchObject({
    authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/),
    'cf-access-client-secret': 'pair-secret',
  });
  await result.getByText('What was signed').click();
  await result.getByText('/version', { exact: false }).first().waitFor();
  await result.getByText('timeout=5s', { exact: false }).first().waitFor();
  await result.getByText("lanyard proxy try fronted '/version?timeout=5s'").waitFor();
  for (const fold of await result.locator('summary').all()) {
    await fold.click();
  }
  expect(await axeFindings(page)).toEqual([]);
  const shown = (await result.textContent()) ?? '';
  expect(shown).toMatch(/AWS4-HMAC-SHA256/);
  for (const secret of ['key-of-aws', 'pair-secret', stage.botToken]) {
    expect(shown).not.toContain(secret);
  }
  expect(shown).not.toContain(String(signed).replace(/^.*Signature=/, ''));
});

test('the page reads what is under way only while it shows it', async () => {
  const own = await ui.openPage({ at: '#/clusters/fronted' });
  const aside = own.page.getByRole('complementary', { name: 'Cluster fronted' });
  const asked = () => own.traffic.sent.filter((each) => each.includes('"proxy.cluster"')).length;
  await aside.getByRole('tab', { name: 'Overview' }).waitFor();
  expect(asked()).toBe(0);
  await aside.getByRole('tab', { name: 'Requests' }).click();
  await expect.poll(asked).toBeGreaterThan(2);
});

test('what was approved before the page heard that it is pending isn’t shown as pending', async () => {
  ({ page } = await ui.openPage({ height: 1000, at: '#/clusters/fronted' }));
  let isDeaf = false;
  await page.routeWebSocket(/.*/, (socket) => {
    const broker = socket.connectToServer();
    broker.onMessage((text) => {
      // As if the broker had no time to read its state: the page gets all of it later.
      if (!isDeaf || !String(text).startsWith('{"kind":"delta"')) {
        socket.send(text);
      }
    });
  });
  await page.reload();
  await tab('Settings');
  await field('Remove step 3').click();
  isDeaf = true;
  await detail().getByRole('button', { name: 'Save' }).click();
  await detail().getByRole('heading', { name: 'Pending approval' }).waitFor();
  const window = await ui.ownWindow(() =>
    detail().getByRole('button', { name: 'Review and approve…' }).click(),
  );
  await pressWhenRead(window, 'Approve');
  await untilAnswered(window, /approved$/);
  await detail().getByRole('heading', { name: 'Pending approval' }).waitFor();
  isDeaf = false;
  mustBeGood(await raw('/version'));
  await detail().getByRole('heading', { name: 'Pending approval' }).waitFor({ state: 'detached' });
});
