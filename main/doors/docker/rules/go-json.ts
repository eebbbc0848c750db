/** A line of JSON, byte by byte as Go’s encoder writes it: `<`, `>`, `&` and two line separators are escaped. */
export function goJson(value: Readonly<Record<string, string>>): string {
  const escaped = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}
