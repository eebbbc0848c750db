/**
 * JSON in which each character that isn't seen stands as an escape, so that it steers no terminal and is none of
 * `style.ts`'s marks: JSON itself escapes no more than the first 32 characters. Takes what JSON.stringify made; its
 * line breaks stay.
 */
export function plainJson(json: string): string {
  return json.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
