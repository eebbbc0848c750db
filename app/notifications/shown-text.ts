import { visibleText } from '../../main/domain/text/visible-text.ts';

const titleCharacters = 100;
const bodyCharacters = 300;

/** A name from outside, for a title or a text. */
export function nameText(name: string): string {
  return visibleText(name, 60);
}

/** A title as the system may show it. */
export function titleText(text: string): string {
  return plain(text, titleCharacters);
}

/** The text below the title. */
export function bodyText(text: string): string {
  return plain(text, bodyCharacters);
}

/**
 * Removes invisible characters, and what some Linux desktops read as markup: a program’s name could be a link there.
 */
function plain(text: string, characters: number): string {
  const alike: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '&': '＆' };
  return visibleText(text, characters).replace(/[<>&]/g, (character) => alike[character] ?? '');
}
