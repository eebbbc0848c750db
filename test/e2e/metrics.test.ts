import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeYear } from '../support/year-of-history.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

let ui: UiHome;
let page: Page;
/** What the history's rows say, counted one by one. */
let kept: {
  handedOut: number;
  declined: number;
  failed: number;
  runs: number;
  failedRuns: number;
  rotations: number;
};

beforeAll(async () => {
  ui = await openUiHome({
    config: {
      version: 1,
      history: { keep: '1000d' },
      accounts: {
        corp: { staticToken: {} },
        eks: {
          execPlugin: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: '/usr/bin/true',
            interactiveMode: 'Never',
          },
        },
      },
      clusters: Object.fromEntries(
        ['prod', 'dev', 'stage', 'edge'].map((name) => [
          name,
          {
            server: `https://${name}.example.com:6443`,
            account: name === 'edge' ? 'eks' : 'corp',
            insecureSkipTlsVerify: true,
          },
        ]),
      ),
    },
  });
  await ui.agent().kill();
  const file = ui.home.file('history');
  for (const companion of ['', '-wal']) {
    rmSync(`${file}${companion}`, { force: true });
  }
  // All of it within the month that the page shows.
  makeYear(file, { rows: 3_000, now: Date.now(), days: 28, lifeMilliseconds: 3_600_000 });
  kept = countRows(file);
  await ui.startAgent();
  ({ page } = await ui.openPage({ height: 1_500, at: '#/metrics' }));
  await page.getByRole('button', { name: 'Month' }).click();
  await page.getByRole('heading', { name: 'Over time: the last 30 days' }).waitFor();
  await page.getByText(`${said(kept.handedOut)} issued`).waitFor();
});
afterAll(() => ui?.dispose());

function countRows(file: string): typeof kept {
  using database = new DatabaseSync(file);
  const count = (sql: string) =>
    Number(database.prepare(`SELECT count(*) AS count FROM ${sql}`).get()?.['count']);
  return {
    handedOut: count("calls WHERE outcome = 'handedOut'"),
    declined: count("calls WHERE reason = 'approval.denied'"),
    failed: count("calls WHERE reason = 'oidc.unreachable'"),
    runs: count('plugin_runs'),
    failedRuns: count('plugin_runs WHERE code IS NOT NULL'),
    rotations: count('generations WHERE replaced_certificate_age IS NOT NULL'),
  };
}

const said = (count: number) => count.toLocaleString('en-US');

/** The sums of the columns of a table of numbers, by their heads. */
async function sums(page: Page, name: string): Promise<Record<string, number>> {
  const table = page.getByRole('table', { name });
  await table.waitFor();
  const [head = [], ...rows] = await table
    .locator('tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
  return Object.fromEntries(
    head
      .slice(1)
      .map((label, column) => [
        label,
        rows.reduce((sum, cells) => sum + Number((cells[column + 1] ?? '').replaceAll(',', '')), 0),
      ]),
  );
}

test('the numbers are those of the history, and T turns the charts into tables and back', async () => {
  expect(await page.getByRole('slider', { name: 'Calls, step by step' }).count()).toBe(1);
  await page.keyboard.press('t');
  expect(await sums(page, 'Calls')).toEqual({
    Issued: kept.handedOut,
    Denied: kept.declined,
    Failed: kept.failed,
  });
  expect(await sums(page, 'Plugin runs')).toEqual({
    Succeeded: kept.runs - kept.failedRuns,
    'Failed (exit code 255)': kept.failedRuns,
  });
  expect(await sums(page, 'Age of certificates when replaced')).toEqual({ Certificates: kept.rotations });
  await page.keyboard.press('t');
  await page.getByRole('slider', { name: 'Calls, step by step' }).waitFor();
});

test('a chart is read by keyboard, one step after the other', async () => {
  const chart = page.getByRole('slider', { name: 'Calls, step by step' });
  await chart.focus();
  await page.keyboard.press('End');
  const last = await chart.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowLeft');
  expect(await chart.getAttribute('aria-valuetext')).not.toBe(last);
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/: Issued [\d,]+, Denied \d+, Failed \d+$/);
  expect(await page.locator('figure', { has: chart }).textContent()).toContain(
    (await chart.getAttribute('aria-valuetext')) ?? '-',
  );
});

test('KEP-541/objectives: the objectives are shown with their counts, for all, a plugin and a cluster', async () => {
  await page
    .getByText(/^eks.*: (\d+ of \d+ (runs|certificates)|It |Its |Half )/)
    .first()
    .waitFor();
  await page.getByText('Plugins in numbers').first().click();
  const table = page.getByRole('table', { name: 'Plugins in numbers' });
  const row = table.getByRole('row', { name: 'eks' });
  expect(await row.textContent()).toMatch(/\d of \d+ failed/);
  expect(await row.textContent()).toMatch(/\d+ of \d+ in the last 1% \(\d+ early\)/);
  expect(await row.getByRole('img', { name: 'Not met:' }).count()).toBeGreaterThan(0);
  await page.getByRole('combobox', { name: 'Show' }).selectOption('cluster edge');
  await page
    .getByText('No requests in this time.')
    .or(page.getByText(/[\d,]+ calls[:,]/))
    .waitFor();
  expect(await table.getByRole('row', { name: 'eks' }).count()).toBe(1);
});

test('the metrics are copied as Prometheus’s text', async () => {
  await page.getByRole('button', { name: 'Copy as Prometheus text' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  // The page may not read the clipboard, so neither can a test in it: it is pasted, as a person does.
  await page.evaluate(() => document.body.appendChild(document.createElement('textarea')).focus());
  await page.keyboard.press('Control+v');
  const text = await page.locator('body > textarea').inputValue();
  expect(text).toContain('# TYPE lanyard_calls_total counter');
  expect(text).toContain('# TYPE rest_client_exec_plugin_ttl_seconds gauge');
});

test('a time without calls says how numbers come', async () => {
  await page.getByRole('combobox', { name: 'Show' }).selectOption('plugin eks');
  await page.getByText('No requests in this time.').waitFor();
});
