import { visibleText } from './visible-text.ts';

/**
 * A name from outside, within a sentence or a table: in quotes unless it is one plain word, so that it can't continue
 * the sentence (`prod at https://prod.example.com: …`); cut, so that it pushes nothing out of sight.
 */
export function shownName(name: string, maxCharacters = 80): string {
  const visible = visibleText(name, maxCharacters);
  const short = visible.length > maxCharacters + 20 ? `${visible.slice(0, maxCharacters + 20)}…` : visible;
  return /^[\p{L}\p{N}._@:/+=~-]+$/u.test(short) ? short : `"${short.replace(/["\\]/g, '\\$&')}"`;
}
