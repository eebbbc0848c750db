import type { Page } from 'playwright';

/**
 * What of the page can't be read as it is laid out now, a line each: texts that are cut where nothing tells the rest,
 * a page that scrolls sideways, and a part that scrolls in a slit.
 */
export function layoutFindings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const line = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 1.45;
    const root = document.documentElement;
    if (root.scrollWidth > window.innerWidth) {
      found.push(`the page scrolls sideways: ${root.scrollWidth} of ${window.innerWidth}`);
    }
    const words = (element: Element) => (element.textContent ?? '').trim().replace(/\s+/g, ' ');
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${words(element).slice(0, 60)}"`;
    // As a screen reader has it: a name that is cut in its middle is there once whole, and once in its two parts.
    const heard = (element: Element) => {
      const copy = element.cloneNode(true) as Element;
      for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) {
        hidden.remove();
      }
      return words(copy) || words(element);
    };
    // Its own text, or all of it with a word before: a name's title may say what the name is.
    const isTold = (element: Element) => {
      const text = heard(element);
      for (let each: Element | null = element, up = 0; each && up < 3; each = each.parentElement, up++) {
        const title = each.getAttribute('title') ?? each.getAttribute('aria-label') ?? '';
        if (title.replace(/\s+/g, ' ').includes(text)) {
          return true;
        }
      }
      return false;
    };
    // A table or a text that scrolls in itself, by keyboard too, and says what it is.
    const isReached = (element: HTMLElement) =>
      element.tabIndex === 0 &&
      (element.hasAttribute('aria-label') || /TEXTAREA|PRE|CODE/.test(element.tagName));
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (
        element.closest('svg, canvas, [hidden], option') ||
        !element.checkVisibility({ visibilityProperty: true })
      ) {
        continue;
      }
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      // Heard, not seen.
      if (style.clipPath !== 'none' || (box.width <= 1 && box.height <= 1) || element.closest('.unseen')) {
        continue;
      }
      const [wide, high] = [
        element.scrollWidth - element.clientWidth,
        element.scrollHeight - element.clientHeight,
      ];
      if (style.display !== 'inline') {
        if (/hidden|clip/.test(style.overflowX) && wide > 1 && !isTold(element)) {
          found.push(`cut at the side by ${wide}: ${named(element)}`);
        }
        if (/hidden|clip/.test(style.overflowY) && high > 2 && !isTold(element)) {
          found.push(`cut below by ${high}: ${named(element)}`);
        }
        if (
          /auto|scroll/.test(style.overflowY) &&
          high > 2 &&
          element.clientHeight < 4 * line &&
          !/TEXTAREA|PRE/.test(element.tagName)
        ) {
          found.push(`scrolls in a slit of ${element.clientHeight}: ${named(element)}`);
        }
        if (/auto|scroll/.test(style.overflowX) && wide > 1 && !isReached(element)) {
          found.push(`scrolls sideways by ${wide}: ${named(element)}`);
        }
      }
      // A text that runs out of what holds it: over its neighbour, or out of the window.
      if (element.childElementCount === 0 && words(element) !== '') {
        if (style.display !== 'inline' && style.overflowX === 'visible' && wide > 1) {
          found.push(`runs out by ${wide}: ${named(element)}`);
        }
        const isBeside = box.right > window.innerWidth + 1 || box.left < -1;
        if (isBeside && !element.closest('[tabindex="0"][aria-label]')) {
          found.push(`outside the window: ${named(element)}`);
        }
      }
    }
    return found;
  });
}
