/** Levels of brackets that no file of a person has. */
const mostBrackets = 600;

/**
 * Where a text of YAML or JSON nests brackets deeper than any file that a person has; null: nowhere. A parser that calls
 * itself would find the end of its stack. Brackets within quotes count, too: those come in pairs.
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
