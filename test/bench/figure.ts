/** One measured figure, beside its reference in the same run. */
export interface Figure {
  what: string;
  value: number;
  /** Empty: `value` counts failures. */
  unit: string;
  /** What it is compared with, in the same unit; null where it stands alone. */
  reference: { what: string; value: number } | null;
  /** The most or the least that the figure, or its ratio to the reference, may be. */
  limit: { kind: 'atMost' | 'atLeast' | 'ratioAtMost'; value: number };
}

/** What a group yields, each as soon as it is measured. */
export type Figures = AsyncIterable<Figure>;

/** A count of what must not happen. */
export function failures(what: string, value: number): Figure {
  return { what, value, unit: '', reference: null, limit: { kind: 'atMost', value: 0 } };
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

/** True where a run that is too short to time anything says as much as a long one. */
export function isCount({ unit }: Figure): boolean {
  return unit === '';
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

/** One line for a terminal; `judged` says whether its limit counts in this run. */
export function figureLine(figure: Figure, judged: boolean): string {
  const { what, value, unit, reference, limit } = figure;
  const wanted = {
    atMost: `≤ ${limit.value} ${unit}`,
    atLeast: `≥ ${limit.value} ${unit}`,
    ratioAtMost: `≤ ${limit.value} ×`,
  }[limit.kind].trim();
  const mark = judged ? (isMet(figure) ? '✓' : '✗') : '·';
  const measured = `${number(value)} ${unit}`.trim().padStart(14);
  const ratio =
    reference === null || reference.value === 0 ? '' : `${(value / reference.value).toFixed(2)} ×`;
  const beside =
    reference === null ? '' : ` (${reference.what}: ${`${number(reference.value)} ${unit}`.trim()})`;
  return `${mark} ${measured}  ${ratio.padStart(8)}  ${(judged ? wanted : '').padEnd(18)}  ${what}${beside}`;
}
