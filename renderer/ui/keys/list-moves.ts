/** The index that a key moves to from `index` (-1: none) among `count`. Null: the key doesn't move. */
export function moved(key: string, index: number, count: number, page = 10): number | null {
  if (count === 0) {
    return null;
  }
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, index + 1);
    case 'ArrowUp':
      return index < 0 ? last : Math.max(0, index - 1);
    case 'PageDown':
      return Math.min(last, Math.max(0, index) + page);
    case 'PageUp':
      return Math.max(0, index - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
