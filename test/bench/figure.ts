import { table } from '../../main/doors/cli/command.ts';

/** One measured figure, beside its reference in the same run. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** What it is compared with, in the same unit; null where it stands alone. */
  reference: { what: string; value: number } | null;
  /** The most or the least that the figure, or its ratio to the reference, may be. */
  limit: { kind: 'atMost' | 'atLeast' | 'ratioAtMost'; value: number };
}

export function isMet({ value, reference, limit }: Figure): boolean {
  switch (limit.kind) {
    case 'atMost':
      return value <= limit.value;
    case 'atLeast':
      return value >= limit.value;
    case 'ratioAtMost':
      return reference !== null && value / reference.value <= limit.value;
  }
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

/** A table for people. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { value, unit, reference, limit } = figure;
    const ratio = reference === null ? '' : `${(value / reference.value).toFixed(2)} ×`;
    const wanted = {
      atMost: `≤ ${limit.value} ${unit}`,
      atLeast: `≥ ${limit.value} ${unit}`,
      ratioAtMost: `≤ ${limit.value} ×`,
    }[limit.kind];
    return [
      isMet(figure) ? '✓' : '✗',
      figure.what,
      `${number(value)} ${unit}`,
      reference === null ? '' : `${number(reference.value)} ${unit} (${reference.what})`,
      ratio,
      wanted,
    ];
  });
  return table([['', 'FIGURE', 'MEASURED', 'REFERENCE', 'RATIO', 'WANTED'], ...rows]);
}
