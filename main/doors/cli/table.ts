import { shortened } from '../../domain/text/shortened.ts';
import { visibleWidth } from '../../domain/text/style.ts';
import type { Terminal } from '../../ports/terminal.ts';

/** A column isn’t made narrower than this: what is left of a name would say nothing. */
const leastWidth = 10;
const gap = 2;

/** How wide a table may be; null: as wide as it is. `wide`: the user wants it whole. */
export function columnsOf({ columns }: Pick<Terminal, 'columns'>, wide = false): number | null {
  return wide ? null : (columns ?? null);
}

/**
 * Columns wide enough for what is seen of their longest cell; the first row says how many there are. Where they are
 * wider than `columns` together, the widest are made narrower and their cells shortened. Cells that would look the same
 * then stay whole.
 */
export function table(rows: readonly (readonly string[])[], columns: number | null = null): string {
  const natural = (rows[0] ?? []).map((_, at) => widest(rows, at));
  const widths = columns === null ? natural : fitted(rows, natural, columns);
  const shown = cellsFor(rows, natural, widths);
  return shown
    .map((row) =>
      row
        .map((cell, at) => `${cell}${' '.repeat(Math.max(0, (widths[at] ?? 0) - visibleWidth(cell)))}`)
        .join(' '.repeat(gap))
        .trimEnd(),
    )
    .join('\n');
}

function widest(rows: readonly (readonly string[])[], at: number): number {
  return rows.reduce((most, row) => Math.max(most, visibleWidth(row[at] ?? '')), 0);
}

/** What a column of shortened names doesn’t need of its width, others get. */
function fitted(rows: readonly (readonly string[])[], natural: readonly number[], columns: number): number[] {
  const heading = rows[0] ?? [];
  const first = narrowed(natural, heading, columns);
  const shown = cellsFor(rows, natural, first);
  const needed = natural.map((width, at) => {
    const used = widest(shown, at);
    return used < (first[at] ?? 0) ? used : width;
  });
  return narrowed(needed, heading, columns);
}

/** Takes a column at a time from the widest. A heading stays whole. */
function narrowed(natural: readonly number[], heading: readonly string[], columns: number): number[] {
  const least = natural.map((width, at) =>
    Math.min(width, Math.max(leastWidth, visibleWidth(heading[at] ?? ''))),
  );
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, gap * (widths.length - 1)) - columns;
  while (over > 0) {
    const room = widths.map((width, at) => (width > (least[at] ?? 0) ? width : 0));
    const most = Math.max(...room);
    if (most === 0) {
      return widths;
    }
    widths[room.indexOf(most)] = most - 1;
    over -= 1;
  }
  return widths;
}

function cellsFor(
  rows: readonly (readonly string[])[],
  natural: readonly number[],
  widths: readonly number[],
): (readonly string[])[] {
  const cells = rows.map((row) => [...row]);
  for (const [at, width] of widths.entries()) {
    if (width < (natural[at] ?? 0)) {
      const names = new Set(rows.map((row) => row[at] ?? ''));
      const alike = Map.groupBy(names, (name) => shortened(name, width));
      for (const row of cells) {
        const short = shortened(row[at] ?? '', width);
        row[at] = alike.get(short)?.length === 1 ? short : (row[at] ?? '');
      }
    }
  }
  return cells;
}
