import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findKubectls } from '../support/kubectl.ts';
import { isLong } from '../support/long.ts';
import { mustBeGood } from '../support/stage.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { openUiStage, type PageOptions, setLook, type UiStage } from './support/ui-stage.ts';

/** How one cluster's view looks: for every eye, in every width. With LANYARD_PICTURES, each is kept there as a picture. */
let ui: UiStage;
const pictures = process.env['LANYARD_PICTURES'];

beforeAll(async () => {
  ui = await openUiStage({
    // Else the login would go on in the browser that stands in for a person's.
    extend: (config, own) => {
      config.accounts['corp'] = own.oidcAccount(own.provider, { flow: 'device' });
      const proxied = config.clusters['prod-ops'];
      config.clusters['prod-ops'] = { ...(proxied as object), proxy: { chain } };
    },
  });
  const { stage } = ui;
  await stage.setSecrets();
  await stage.logIn();
  const kubeconfig = await stage.writeKubeconfig();
  const getPods = (context: string) =>
    stage.kubectl(findKubectls().newest, kubeconfig, ['--context', context, 'get', 'pods']);
  mustBeGood(await getPods('prod'));
  mustBeGood(await getPods('prod-ops'));
  stage.api.rejectAll(true);
  await getPods('prod');
  stage.api.rejectAll(false);
});
afterAll(() => ui?.dispose());

/** Of each kind of step, one. */
const chain = [
  { set: 'X-Team', value: 'blue' },
  { add: 'X-Robot', account: 'bot', scheme: 'Key' },
  { remove: 'X-Gone' },
  { impersonate: { user: 'ann', groups: ['dev'], uid: '7' } },
];

const parts = ['Overview', 'Credential', 'Requests', 'Time', 'Settings'] as const;

type Aside = ReturnType<Page['getByRole']>;
const drawn: Readonly<Record<(typeof parts)[number], (aside: Aside) => Promise<void>>> = {
  Overview: (aside) => aside.getByRole('img').first().waitFor(),
  Credential: (aside) => aside.getByRole('button', { name: 'Check', exact: true }).waitFor(),
  Requests: (aside) => aside.getByText('Impersonate ann, uid 7, group dev').waitFor(),
  Time: (aside) => aside.getByRole('heading', { name: 'Programs in this period' }).waitFor(),
  Settings: (aside) => aside.getByRole('button', { name: /^Remove prod/ }).waitFor(),
};

/** How the page is looked at. Both themes, all widths, and texts at twice their size. */
const looks = [
  { theme: 'light', width: 1240, textZoom: 1 },
  { theme: 'dark', width: 900, textZoom: 1 },
  { theme: 'light', width: 1240, textZoom: 2 },
  { theme: 'dark', width: 1600, textZoom: 1 },
  { theme: 'light', width: 900, textZoom: 1 },
  { theme: 'dark', width: 900, textZoom: 2 },
] as const satisfies readonly PageOptions[];

async function kept(page: Page, name: string): Promise<void> {
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  }
}

/** Opens the cluster, for who asked for no motion. */
async function openCluster(cluster: string): Promise<{ page: Page; aside: Aside }> {
  const { page } = await ui.openPage({ height: 900, reducedMotion: true, at: `#/clusters/${cluster}` });
  const aside = page.getByRole('complementary', { name: `Cluster ${cluster}` });
  await aside.getByRole('heading', { name: cluster, level: 2 }).waitFor();
  return { page, aside };
}

async function openPart(aside: Aside, part: (typeof parts)[number]): Promise<void> {
  await aside.getByRole('tab', { name: part }).click();
  await drawn[part](aside);
}

// Each part is looked at in one way, the long form: in all.
test.each([
  ['prod', 0],
  ['prod-ops', 3],
])('%s: no part has a violation of WCAG 2.2 AA, is cut, or moves', async (cluster, first) => {
  const { page, aside } = await openCluster(cluster);
  const own = parts.filter((each) => each !== 'Requests' || cluster === 'prod-ops');
  for (const [index, part] of own.entries()) {
    await openPart(aside, part);
    for (const look of isLong ? looks : looks.slice((first + index) % looks.length).slice(0, 1)) {
      const how = `${part} ${Object.values(look).join(' ')}`;
      await setLook(page, { height: 900, ...look });
      expect(await accessibilityViolations(page), how).toEqual([]);
      await expect.poll(() => page.evaluate(whatIsCut), { message: how }).toEqual([]);
      expect(await page.evaluate(whatMoves), how).toEqual([]);
      await kept(page, `${cluster}-${how.replaceAll(' ', '-')}`);
    }
  }
});

test('adding one has no violation of WCAG 2.2 AA either', async () => {
  const { page } = await ui.openPage({ height: 900, at: '#/clusters/+new' });
  await page.getByRole('heading', { name: 'Add a cluster' }).waitFor();
  await page.getByLabel('Certificate authority').selectOption('data');
  await page.getByRole('button', { name: 'Add the cluster' }).click();
  await page.getByText('Paste it here.').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await setLook(page, { height: 900, theme: 'dark' });
  // What it is made of is the same.
  expect(await accessibilityViolations(page, { rules: ['color-contrast'] })).toEqual([]);
});

test('in forced colors every mark of the lane differs from the background', async () => {
  const { page, aside } = await openCluster('prod');
  await openPart(aside, 'Time');
  await setLook(page, { height: 900, forcedColors: true });
  const colours = await page.evaluate(() => {
    const ground = getComputedStyle(document.body).backgroundColor;
    return [...document.querySelectorAll('aside svg [data-part]')].map((each) => {
      const { fill, stroke } = getComputedStyle(each);
      return (fill !== 'none' && fill !== ground) || (stroke !== 'none' && stroke !== ground);
    });
  });
  expect(colours.length).toBeGreaterThan(1);
  expect(colours).not.toContain(false);
});

/** What is moving. Runs in the page. */
function whatMoves(): string[] {
  return document
    .getAnimations()
    .map((each) => (each.effect as KeyframeEffect | null)?.target?.outerHTML ?? '');
}

/** What in the detail reaches out of it sideways, or is hidden by what is around it. Runs in the page. */
function whatIsCut(): string[] {
  const aside = document.querySelector('aside');
  if (!aside) {
    return ['there is no detail'];
  }
  const { left, right } = aside.getBoundingClientRect();
  const found = [...aside.querySelectorAll('*')].filter((each) => {
    const box = each.getBoundingClientRect();
    const isSeen = box.width > 1 && box.height > 1 && getComputedStyle(each).clip === 'auto';
    const scrolls = each.closest('[data-scrolls], table, .uplot, svg, pre') !== null;
    return isSeen && !scrolls && (box.left < left - 1 || box.right > right + 1);
  });
  const texts = [...aside.querySelectorAll('button, label, dt, dd, th, td, p, h2, h3')].filter(
    (each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX === 'hidden',
  );
  const wide = document.documentElement.scrollWidth > window.innerWidth ? ['the page scrolls sideways'] : [];
  return [...wide, ...[...found, ...texts].map((each) => each.outerHTML.slice(0, 120))];
}
