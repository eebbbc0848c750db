import type { Page } from 'playwright';
import { rawWordsIn } from '../../support/raw-words.ts';

/** What of the page is none for users: of its texts, and of what is told when it is pointed at or heard. */
export async function rawWords(page: Page): Promise<string[]> {
  return rawWordsIn(
    await page.evaluate(() => {
      const told = ['title', 'aria-label', 'placeholder', 'alt'].flatMap((name) =>
        [...document.querySelectorAll(`[${name}]`)].map((each) => each.getAttribute(name) ?? ''),
      );
      // Values are the user’s, and code is what a user types or a file has.
      const hidden = [...document.querySelectorAll<HTMLElement>('code, pre, .mono')];
      const before = hidden.map(({ style }) => style.display);
      for (const each of hidden) {
        each.style.display = 'none';
      }
      const text = document.body.innerText;
      hidden.forEach((each, index) => {
        each.style.display = before[index] ?? '';
      });
      return [text, ...told].join('\n');
    }),
  );
}
