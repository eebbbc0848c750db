/** How far a key moves in a list; `page`: rows on a page. Null: it is no such key. */
export function stepOf(key: string, page: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return -1;
    case 'PageDown':
      return page;
    case 'PageUp':
      return -page;
    case 'Home':
      return Number.NEGATIVE_INFINITY;
    case 'End':
      return Number.POSITIVE_INFINITY;
    default:
      return null;
  }
}
