import { replaceInvisible } from '../../contract/invisible.ts';

/**
 * JSON with each invisible character escaped, so that it contains no terminal sequences and none of `style.ts`'s
 * marks: JSON itself escapes only the first 32 characters. Takes the output of JSON.stringify; its line breaks stay.
 */
export function plainJson(json: string): string {
  return replaceInvisible(json, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}
