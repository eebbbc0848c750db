import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityViolations } from './support/accessibility.ts';
import { brokerIsGone } from './support/page-problems.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

/** The page's frame, on a real broker: what it says when there is something else to say than the views. */
let ui: UiHome;

beforeAll(async () => {
  ui = await openUiHome({
    config: {
      version: 1,
      accounts: { bot: { staticToken: {} } },
      clusters: { prod: { server: 'https://10.0.0.1:6443', account: 'bot', insecureSkipTlsVerify: true } },
    },
  });
});
afterAll(() => ui?.dispose());

test.each(['light', 'dark'] as const)('the frame has no violation of WCAG 2.2 AA, %s', async (theme) => {
  const { page } = await ui.openPage({ theme, at: '#/settings' });
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
});

test('the broker is killed with the page open: the last state stays, the page says what to do, and comes back by itself', async () => {
  const { page, problems } = await ui.openPage();
  problems.allow(brokerIsGone);
  await page.getByRole('heading', { name: 'Clusters' }).waitFor();
  await ui.agent().kill();
  await page.getByText('The broker can’t be reached.').waitFor();
  expect(await page.getByRole('heading', { name: 'Clusters' }).isVisible()).toBe(true);
  expect(await accessibilityViolations(page)).toEqual([]);
  await ui.startAgent();
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByText('The broker can’t be reached.').waitFor({ state: 'detached' });
});
