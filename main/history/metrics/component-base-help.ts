/** component-base puts the stability before the help of each metric. */
export function componentBaseHelp(...sentences: string[]): string {
  return `[ALPHA] ${sentences.join(' ')}`;
}
