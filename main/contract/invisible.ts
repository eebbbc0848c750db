/**
 * What a reader doesn’t see, or what moves or turns around the rest of a line: control, format and unassigned characters,
 * the line and paragraph separators, what Unicode lets a font leave out (fillers, joiners, variation selectors), and the
 * empty pattern of Braille. The inside of a character class of a pattern with the flag `u`.
 */
export const invisible = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;

const some = new RegExp(`[${invisible}]`, 'u');
const each = new RegExp(some, 'gu');

export function hasInvisible(text: string): boolean {
  return some.test(text);
}

/** The text with `by` in place of each invisible character (rule: stripped-text). */
export function replaceInvisible(text: string, by: (character: string) => string): string {
  return text.replace(each, by);
}
