import { visibleText } from './visible-text.ts';

/**
 * A name from outside, within a sentence or a table: in quotes unless it is one plain word, so that it can't continue
 * the sentence (`prod at https://prod.example.com: …`); cut, so that it pushes nothing out of sight.
 */
export function shownName(name: string, maxCharacters = 80): string {
  const isPlain = /^[\p{L}\p{N}._@:/+=~-]+$/u.test(name) && name.length <= maxCharacters;
  if (isPlain) {
    return name;
  }
  // What is escaped is escaped once: quotes before control characters.
  const visible = visibleText(cut(name, maxCharacters).replace(/["\\]/g, '\\$&'), Infinity);
  return `"${cut(visible, maxCharacters + 20)}"`;
}

function cut(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
