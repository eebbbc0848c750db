import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood } from '../support/stage.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { openUiStage, type PageOptions, type UiStage } from './support/ui-stage.ts';

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
}, 120_000);
afterAll(() => ui?.dispose());

/** Of each kind of step, one. */
const chain = [
  { set: 'X-Team', value: 'blue' },
  { add: 'X-Robot', account: 'bot', scheme: 'Key' },
  { remove: 'X-Gone' },
  { impersonate: { user: 'ann', groups: ['dev'], uid: '7' } },
];

const parts = ['Overview', 'Credential', 'Requests', 'Time', 'Settings'] as const;

/** Each part of a cluster, one after the other, once it is drawn. */
async function eachPart(
  cluster: string,
  options: PageOptions,
  look: (page: Page, part: string) => Promise<void>,
): Promise<void> {
  const { page, close } = await ui.openPage({ height: 900, ...options, at: `#/clusters/${cluster}` });
  const aside = page.getByRole('complementary', { name: `Cluster ${cluster}` });
  await aside.getByRole('heading', { name: cluster, level: 2 }).waitFor();
  for (const part of parts.filter((each) => each !== 'Requests' || cluster === 'prod-ops')) {
    await aside.getByRole('tab', { name: part }).click();
    await drawn[part](aside);
    await look(page, part);
    await kept(page, `${cluster}-${part}-${nameOf(options)}`);
  }
  await close();
}

type Aside = ReturnType<Page['getByRole']>;
const drawn: Readonly<Record<(typeof parts)[number], (aside: Aside) => Promise<void>>> = {
  Overview: (aside) => aside.getByRole('img').first().waitFor(),
  Credential: (aside) => aside.getByRole('button', { name: 'Check', exact: true }).waitFor(),
  Requests: (aside) => aside.getByText('Impersonate ann, uid 7, group dev').waitFor(),
  Time: (aside) => aside.getByRole('heading', { name: 'Programs in this period' }).waitFor(),
  Settings: (aside) => aside.getByRole('button', { name: /^Remove prod/ }).waitFor(),
};

function nameOf({ theme = 'light', width = 1240, textZoom = 1, forcedColors = false }: PageOptions): string {
  return [theme, width, ...(textZoom === 1 ? [] : ['large']), ...(forcedColors ? ['forced'] : [])].join('-');
}

async function kept(page: Page, name: string): Promise<void> {
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  }
}

test.each<[string, PageOptions]>([
  ['prod', { theme: 'light' }],
  ['prod', { theme: 'dark', width: 900 }],
  ['prod-ops', { theme: 'dark' }],
  ['prod-ops', { theme: 'light', width: 900 }],
])('no part of %s has a violation of WCAG 2.2 AA: %o', async (cluster, options) => {
  await eachPart(cluster, options, async (page, part) => {
    expect(await accessibilityViolations(page), part).toEqual([]);
  });
});

test.each(['light', 'dark'] as const)(
  'adding one has no violation of WCAG 2.2 AA either, %s',
  async (theme) => {
    const { page } = await ui.openPage({ theme, height: 900, at: '#/clusters/+new' });
    await page.getByRole('heading', { name: 'Add a cluster' }).waitFor();
    await page.getByLabel('Certificate authority').selectOption('data');
    await page.getByRole('button', { name: 'Add the cluster' }).click();
    await page.getByText('Paste it here.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await kept(page, `new-${theme}`);
  },
);

test.each<PageOptions>([
  { width: 900 },
  { width: 1600, theme: 'dark' },
  { width: 1240, textZoom: 2 },
  { width: 900, textZoom: 2, theme: 'dark' },
])('nothing is cut: %o', async (options) => {
  for (const cluster of ['prod', 'prod-ops']) {
    await eachPart(cluster, options, async (page, part) => {
      await expect.poll(() => page.evaluate(whatIsCut), { message: `${cluster} ${part}` }).toEqual([]);
    });
  }
});

test('in forced colors every mark of the lane differs from the background', async () => {
  await eachPart('prod', { forcedColors: true }, async (page, part) => {
    if (part === 'Time') {
      const colours = await page.evaluate(() => {
        const ground = getComputedStyle(document.body).backgroundColor;
        return [...document.querySelectorAll('aside svg [data-part]')].map((each) => {
          const { fill, stroke } = getComputedStyle(each);
          return (fill !== 'none' && fill !== ground) || (stroke !== 'none' && stroke !== ground);
        });
      });
      expect(colours.length).toBeGreaterThan(1);
      expect(colours).not.toContain(false);
    }
  });
});

test('with reduced motion nothing moves automatically', async () => {
  await eachPart('prod', { reducedMotion: true }, async (page, part) => {
    const moving = await page.evaluate(() =>
      document.getAnimations().map((each) => (each.effect as KeyframeEffect | null)?.target?.outerHTML ?? ''),
    );
    expect(moving, part).toEqual([]);
  });
});

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
