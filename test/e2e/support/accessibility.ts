import axe from 'axe-core';
import type { Page } from 'playwright';
import { dialogOrigin } from '../../../app/scheme/dialog-scheme.ts';

/** WCAG 2.2, levels A and AA. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export interface AccessibilityOptions {
  /** A selector. */
  within?: string;
  /** These alone of axe-core's rules. */
  rules?: readonly string[];
}

/** Shows the page in a theme; no colour is on its way there any more. */
export async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(async () => {
    // Transitions begin with a frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const each of document.getAnimations()) {
      if (each instanceof CSSTransition) {
        each.finish();
      }
    }
  });
}

/** What axe-core finds against WCAG 2.2 AA in the page as it is now, one line each: empty where all is well. */
export async function accessibilityViolations(
  page: Page,
  { within, rules }: AccessibilityOptions = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // Its policy allows no script but its own files: the debugger's way in asks it not.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axe.source });
    await session.detach();
  }
  if (page.url().startsWith(dialogOrigin)) {
    // Electron's dialogs run no script, and so no timer: axe-core waits for nothing else there.
    await page.evaluate(() =>
      Object.assign(window, { setTimeout: (run: () => void) => void Promise.resolve().then(run) }),
    );
  }
  const runOnly = rules
    ? { type: 'rule' as const, values: [...rules] }
    : { type: 'tag' as const, values: tags };
  return page.evaluate(
    async ([only, where]) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      // No style sheet is fetched by it: its policy refuses that, too.
      const results = await axe.run(where ?? document, { runOnly: only, preload: false });
      return results.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
      );
    },
    [runOnly, within ?? null] as const,
  );
}
