/** One family of metrics with its samples, as prom-client's `get()` gives them. */
export interface MetricFamily {
  name: string;
  help: string;
  type: string;
  values: readonly {
    value: number;
    labels: Partial<Record<string, string | number>>;
    /** `…_bucket`, `…_sum`; without it the family's own. */
    metricName?: string;
  }[];
}

/**
 * Prometheus's text format as its Go library prints it, to the last character: families by name, labels by name with
 * `le` at the end, series by their labels' values, numbers as Go's strconv has them (2.592e+06), and nothing of a family
 * that has no sample. Other libraries print another form of the same.
 */
export function goText(families: readonly MetricFamily[]): string {
  return families
    .filter(({ values }) => values.length > 0)
    .toSorted((a, b) => compare(a.name, b.name))
    .map(({ name, help, type, values }) => {
      const lines = values.map((each) => ({ ...each, own: labelsOf(each.labels) }));
      // A histogram's own samples have their order already: each series' buckets, sum and count.
      const place = ({ own }: (typeof lines)[number]) =>
        type === 'histogram' ? own.filter(([label]) => label !== 'le') : own;
      const ordered = lines.toSorted((a, b) => compareLabels(place(a), place(b)));
      const samples = ordered.map(
        ({ metricName, own, value }) => `${metricName ?? name}${labelText(own)} ${goNumber(value)}\n`,
      );
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${samples.join('')}`;
    })
    .join('');
}

type Label = readonly [name: string, value: string];

function labelsOf(labels: Partial<Record<string, string | number>>): Label[] {
  const all = Object.entries(labels).map(([name, value]): Label => [name, labelValue(value ?? '')]);
  return all.toSorted(([a], [b]) => Number(a === 'le') - Number(b === 'le') || compare(a, b));
}

function labelValue(value: string | number): string {
  return typeof value === 'number' ? goNumber(value) : value;
}

function labelText(labels: readonly Label[]): string {
  const all = labels.map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return all.length === 0 ? '' : `{${all.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareLabels(a: readonly Label[], b: readonly Label[]): number {
  for (const [index, [, value]] of a.entries()) {
    const order = compare(value, b[index]?.[1] ?? '');
    if (order !== 0) {
      return order;
    }
  }
  return 0;
}

/** As strconv.FormatFloat(value, 'g', -1, 64): with an exponent from a million on, and below 0.0001. */
export function goNumber(value: number): string {
  if (Number.isNaN(value)) {
    return 'NaN';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? '+Inf' : '-Inf';
  }
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) {
    return String(value);
  }
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
