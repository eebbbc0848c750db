import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isLong } from '../support/long.ts';
import { Stage } from '../support/stage.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { appStart } from './support/app-start.ts';
import { openPage } from './support/open-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

/** Several clusters at once, in a long list: of two thousand in the long form. */
let stage: Stage;
let page: Page;
const many = isLong ? 2_000 : 200;
const said = (count: number) => count.toLocaleString('en-US');

beforeAll(async () => {
  stage = await Stage.open({
    startAgent: appStart,
    extend: ({ accounts, clusters }, parts) => {
      const { server } = parts.api;
      accounts['corp'] = parts.oidcAccount(parts.provider, { flow: 'device' });
      accounts['partner'] = accounts['corp'];
      clusters['partner-eu'] = { server, account: 'partner' };
      clusters['prod-two'] = { server, account: 'corp' };
      for (let index = 1; index <= many; index++) {
        clusters[`many-${index}`] = { server, account: 'bot' };
      }
    },
  });
  await stage.setSecrets();
  page = await openPage(stage, await sharedChromium());
});
afterAll(async () => {
  await stage?.dispose();
});

/** The list, with what was selected and said before gone. */
const open = async (query: string) => {
  await page.evaluate((hash) => window.location.assign(hash), `#/clusters?group=none&sort=name&${query}`);
  await page.reload();
  await page.getByRole('grid', { name: 'Clusters' }).focus();
};
const bar = () => page.getByRole('region', { name: 'Selected clusters' });
const count = (words: string) => bar().getByText(words, { exact: true }).waitFor();
const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const written = () =>
  parse(readFileSync(stage.home.file('config'), 'utf8')).clusters as Record<string, { approval?: string }>;

describe('selecting', () => {
  test('by keys alone: one, more, all of a list, none; the bar is the next stop', async () => {
    await open('q=many-');
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await count('1 selected');
    expect(await box('many-1').isChecked()).toBe(true);
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await count('3 selected');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Control+a');
    await count(`${said(many)} selected`);
    await page.keyboard.press('End');
    await box(`many-${many}`).waitFor();
    expect(await box(`many-${many}`).isChecked()).toBe(true);
    await page.keyboard.press('Space');
    await count(`${said(many - 1)} selected`);
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
    // The search is left by the next one.
    expect(await page.getByRole('searchbox').inputValue()).toBe('many-');
    await page.keyboard.press('Space');
    await count('1 selected');
    // The legend of the lanes is before it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Set approval…');
  });

  test('by the mouse: boxes, and with Shift all between; what is selected stays under another search', async () => {
    await open('q=many-');
    await box('many-2').click();
    await page
      .getByRole('row', { name: 'many-5', exact: false })
      .first()
      .click({ modifiers: ['Shift'] });
    await count('4 selected');
    await box('many-3').click();
    await count('3 selected');
    await page.getByRole('searchbox').fill('prod-bot');
    await box('prod-bot').click();
    await count('4 selected');
    await bar().getByRole('button', { name: 'Clear' }).click();
    await bar().waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
  });
});

describe('an action on several', () => {
  test('logs in once for each account that needs it, one after the other', async () => {
    await open('q=p');
    await page.keyboard.press('Control+a');
    await bar().getByRole('button', { name: 'Log in to 2 accounts' }).click();
    for (const account of ['corp', 'partner']) {
      const dialog = page.getByRole('dialog', { name: `Log in to ${account}` });
      const code = await dialog.locator('output').textContent();
      await stage.provider.person.approveDevice(code ?? '');
      await page.getByText(`Logged in to ${account} as alice`).waitFor();
    }
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await bar()
      .getByRole('button', { name: /^Log in/ })
      .waitFor({ state: 'detached' });
  });

  test('sets their approval by one change, which is pending', async () => {
    await open('q=many-19');
    await box('many-190').click();
    await box('many-191').click();
    await bar().getByRole('button', { name: 'Set approval…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set the approval of 2 clusters' });
    await dialog.getByLabel('Require approval').selectOption('always');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The approval of 2 clusters is changed').waitFor();
    await page.getByText('Pending your approval.').waitFor();
    await bar().waitFor({ state: 'detached' });
    expect(['many-190', 'many-191', 'many-192'].map((name) => written()[name]?.approval)).toEqual([
      'always',
      'always',
      undefined,
    ]);
  });

  test('a time that is none is told in the dialog, and nothing is written', async () => {
    const before = readFileSync(stage.home.file('config'), 'utf8');
    await open('q=many-50');
    await box('many-50').click();
    await bar().getByRole('button', { name: 'Set approval…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set the approval of many-50' });
    await dialog.getByLabel('Require approval').selectOption('duration');
    await dialog.getByLabel('Valid for').fill('soon');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(readFileSync(stage.home.file('config'), 'utf8')).toBe(before);
  });

  test('removes all of them after one question, and restores them by one click', async () => {
    await open('q=many-');
    await page.keyboard.press('Control+a');
    await count(`${said(many)} selected`);
    await bar().getByRole('button', { name: 'Remove…' }).click();
    const dialog = page.getByRole('dialog', { name: `Remove ${said(many)} clusters?` });
    await dialog.getByText(`and ${said(many - 12)} more`).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const before = written();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText(`${said(many)} clusters are removed`).waitFor();
    await bar().waitFor({ state: 'detached' });
    expect(Object.keys(written()).filter((name) => name.startsWith('many-'))).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`${said(many)} clusters restored`).waitFor();
    expect(written()).toEqual(before);
    // Those whose approval was pending before, and no more.
    await page.getByText('Pending approval: 2 of them.').waitFor();
  });
});
