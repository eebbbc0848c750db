/** More levels of brackets than a real configuration has. */
const mostBrackets = 600;

/**
 * Where a text of YAML or JSON nests brackets deeper than a real configuration; null: nowhere. A recursive parser would run
 * out of stack there. Brackets within quotes count, too: those come in pairs.
 */
export function tooDeepAt(text: string): number | null {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > mostBrackets) {
      return index;
    }
  }
  return null;
}
