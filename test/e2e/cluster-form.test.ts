import { X509Certificate } from 'node:crypto';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../support/certificates.ts';
import { startKubernetesApi } from '../support/kubernetes-api.ts';
import { Stage } from '../support/stage.ts';
import { appStart } from './support/app-start.ts';
import { expectAccessible, openLanyard } from './support/opened-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

let stage: Stage;
let browser: Browser;

beforeAll(async () => {
  stage = await Stage.open({ startAgent: appStart });
  browser = await sharedChromium();
});
afterAll(async () => {
  await stage?.dispose();
});

test.each(['light', 'dark'] as const)(
  'a first cluster in one go: server, the CA it states, an account that is added on the way (%s)',
  async (theme) => {
    const ca = await createCa('Corp cluster CA');
    const certificate = await issueServerCertificate(ca, ['127.0.0.1']);
    const chainPem = certificate.chainPem + ca.certificatePem;
    const api = await startKubernetesApi({ certificate: { ...certificate, chainPem } });
    try {
      const { page } = await openLanyard(stage, browser, { hash: '#/clusters/+new', theme });
      await page.setViewportSize({ width: 900, height: 780 });
      const form = page.getByRole('complementary', { name: 'A new cluster' });
      const button = (name: string) => form.getByRole('button', { name, exact: true });
      await button('Test').click();
      await form.getByText('Enter the server’s address').waitFor();
      await form.getByLabel('Server', { exact: true }).fill(api.server);
      await button('Test').click();
      const stated = form.getByRole('region', { name: 'The CA that the server states' });
      await stated.getByText(new X509Certificate(ca.certificatePem).fingerprint256).waitFor();
      await expectAccessible(page);
      await stated.getByRole('button', { name: 'Accept this CA' }).click();
      await form.getByText('its certificate is of the CA that you named', { exact: false }).waitFor();

      await button('Add an account…').click();
      const adding = page.getByRole('dialog', { name: 'Add an account' });
      await adding.getByLabel('Kind').selectOption('staticToken');
      await adding.getByLabel('Name', { exact: true }).fill(`bot-${theme}`);
      await adding.getByRole('button', { name: 'Add', exact: true }).click();
      await adding.waitFor({ state: 'detached' });
      expect(await form.getByLabel('Account', { exact: true }).inputValue()).toBe(`bot-${theme}`);

      await form.getByLabel('Name', { exact: true }).fill(`lab-${theme}`);
      await button('Add the cluster').click();
      await page
        .getByRole('heading', { name: `lab-${theme}` })
        .first()
        .waitFor();
      expect((await stage.status()).held.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining([`bot-${theme}`, `lab-${theme}`]),
      );
      expect(api.requests.filter(({ via }) => via !== 'none')).toEqual([]);
    } finally {
      await api.dispose();
    }
  },
);
