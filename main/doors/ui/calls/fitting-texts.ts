import type { WaitingText } from '../../../operations/waiting-item.ts';

/** Characters of lines and names; a page’s connection ends where it doesn’t read 16 MiB in time. */
const mostCharacters = 1024 * 1024;

/**
 * Changes for a page, which only displays them: what would make its message too long has its title and risks alone. A
 * hub says up to some hundred KiB of each profile (profile-limits.ts). Where changes are approved all of it is shown.
 */
export function fittingTexts(texts: readonly WaitingText[]): WaitingText[] {
  let left = mostCharacters;
  return texts.map((text) => {
    const { title, risks, lines, names = [] } = text;
    const characters = [...lines, ...names].reduce((sum, line) => sum + line.length, 0);
    if (characters > left) {
      return { title, risks, lines: ['too long for this page: the window and lanyard confirm show it'] };
    }
    left -= characters;
    return text;
  });
}
