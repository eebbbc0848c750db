/** A time as a part of a file's name on every system, in UTC so that names order: `2026-03-01T13-05-09-120Z`. */
export function timeInName(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replaceAll(/[:.]/g, '-');
}
