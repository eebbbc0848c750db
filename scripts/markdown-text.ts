/** Plain text as Markdown: characters with a meaning of their own are escaped; text in backticks stays code. */
export function markdownText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[\\*<>[\]|]/g, '\\$&')))
    .join('');
}

/** Code within a table's cell: GFM ends a cell at a bare `|`, in code as well. */
export function cellCode(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

/** A table in GFM: its header, and a line for each row. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)];
}
