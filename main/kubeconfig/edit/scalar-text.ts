/** What YAML 1.1 or 1.2 reads as something else than text, in any case of letters. */
const otherTypes = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

/** Words, paths, host names, options (`--cluster`): read as text by every YAML, in block style. */
const plainText = /^(?:--|\/|)[A-Za-z_][\w./@+=-]*(?::[\w./@+=-]+)*$/;

/**
 * `value` as a scalar on one line: plain where every YAML version reads that as this text, else in double quotes.
 * `flow`: for use inside `{}` or `[]`, where older parsers take a colon for a key’s end.
 */
export function scalarText(value: string, where: 'block' | 'flow' | 'json'): string {
  const isPlain =
    where !== 'json' &&
    plainText.test(value) &&
    !otherTypes.test(value) &&
    !(where === 'flow' && value.includes(':'));
  return isPlain ? value : doubleQuoted(value);
}

/** JSON's string, which is YAML's as well once YAML 1.1's further line breaks and unprintables are escapes. */
export function doubleQuoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `value` in the quotes that `old` has. */
export function scalarLike(old: string, value: string, where: 'block' | 'flow' | 'json'): string {
  if (old.startsWith('"')) {
    return doubleQuoted(value);
  }
  // In single quotes nothing is escaped: what isn't plainly printable goes into double ones.
  if (old.startsWith("'") && /^[\x20-\x7e\u00a0-\u2027\u2030-\ud7ff]*$/.test(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  return scalarText(value, where);
}
