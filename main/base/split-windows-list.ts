/**
 * The paths of a variable such as PATH, as Go's filepath.SplitList: a `;` within double quotes belongs to the path; the
 * quotes themselves go. Without empty ones.
 */
export function splitWindowsList(list: string): string[] {
  const parts = list.match(/(?:"[^"]*"?|[^;"])+/g) ?? [];
  return parts.map((part) => part.replaceAll('"', ''));
}
