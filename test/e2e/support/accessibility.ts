import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2, levels A and AA. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe-core finds against WCAG 2.2 AA in the page as it is now, one line each: empty where all is well. */
export async function accessibilityViolations(page: Page, within?: string): Promise<string[]> {
  // Its policy allows no script but its own files: the debugger's way in asks it not.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  await session.detach();
  const found = await page.evaluate(
    async ([values, where]) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const results = await axe.run(where ?? document, { runOnly: { type: 'tag', values: [...values] } });
      return results.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
      );
    },
    [tags, within ?? null] as const,
  );
  return found;
}
