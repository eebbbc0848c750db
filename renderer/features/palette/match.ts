/**
 * How well a text matches the query: higher is better, null is no match. The letters must be in order. Letters that
 * are together, at the start of a word or near the front count more.
 */
export function match(query: string, text: string): number | null {
  const [wanted, from] = [query.toLowerCase(), text.toLowerCase()];
  const at = from.indexOf(wanted);
  if (at >= 0) {
    return (
      1000 - Math.min(at, 100) + (isWordStart(from, at) ? 300 : 0) + (wanted.length === from.length ? 500 : 0)
    );
  }
  let [score, position, last] = [0, 0, -2];
  for (const letter of wanted) {
    if (letter === ' ') {
      continue;
    }
    const next = from.indexOf(letter, position);
    if (next < 0) {
      return null;
    }
    score += next === last + 1 ? 8 : isWordStart(from, next) ? 6 : 0;
    last = next;
    position = next + 1;
  }
  // Letters that are far apart are no match.
  return score >= wanted.replaceAll(' ', '').length * 3 ? score : null;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? '');
}
