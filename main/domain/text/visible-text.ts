import { replaceInvisible } from '../../contract/invisible.ts';

/**
 * Text from outside for a line that the user reads: control, direction and other invisible characters are escaped, so
 * that it can't forge a line or hide a part (rule: stripped-text); cut at `maxCharacters`.
 */
export function visibleText(text: string, maxCharacters = 1000): string {
  const short = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return replaceInvisible(short, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for one line from a text that may have many: its line breaks become spaces, not escapes. */
export function visibleLine(text: string, maxCharacters = 1000): string {
  return visibleText(text.trim().replace(/\s+/g, ' '), maxCharacters);
}
