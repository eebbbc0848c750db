import { ChartColumn, Table2 } from 'lucide-react';
import { createContext, Suspense, useContext, useId, useState } from 'react';
import { IconButton } from '../button.tsx';
import { DataTable } from '../data-table.tsx';
import { part } from '../part.tsx';
import { useNow } from '../time/index.ts';
import styles from './chart.module.css';
import {
  type ChartSeries,
  type ChartStep,
  isBlank,
  movedBy,
  stepLength,
  stepText,
  valuesText,
} from './chart-data.ts';

const Plot = part(async () => (await import('./plot.tsx')).Plot);

export interface ChartProps {
  title: string;
  steps: readonly ChartStep[];
  /** Keep the same array while nothing changes: a new one is drawn again. */
  series: readonly ChartSeries[];
  format(value: number): string;
  /** The chart in a sentence, under the title and for screen readers. */
  summary: string;
  /** Shown if there is nothing to draw. */
  empty: string;
  /** What is counted, for the axis: `calls`. With the length of a step: `calls per 30 min`. */
  unit?: string;
  /** In pixels. */
  height?: number;
}

interface TablesShown {
  shown: boolean;
  toggle(): void;
}

/** Lets several charts switch to tables together. */
export const TablesContext = createContext<TablesShown | null>(null);

/** Counts over time, stacked. The first series is at the bottom. */
export function Bars(props: ChartProps) {
  return <Chart kind="bars" {...props} />;
}

/**
 * Values over time. Lines also differ in their dashes. `logarithmic`: for values of very different sizes, none of
 * them 0.
 */
export function Lines(props: ChartProps & { logarithmic?: boolean }) {
  return <Chart kind="lines" {...props} />;
}

function Chart({
  kind,
  title,
  steps,
  series,
  format,
  summary,
  empty,
  unit,
  height = 168,
  logarithmic = false,
}: ChartProps & { kind: 'bars' | 'lines'; logarithmic?: boolean }) {
  const [at, setAt] = useState<number | null>(null);
  const [own, setOwn] = useState(false);
  const together = useContext(TablesContext);
  const asTable = together?.shown ?? own;
  const toggle = together?.toggle ?? (() => setOwn((before) => !before));
  const id = useId();
  const blank = isBlank(series);
  const now = useNow(60_000);
  const endsNow = (steps.at(-1)?.until ?? 0) > now;
  const read = at !== null && at < steps.length ? at : null;
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key.toLowerCase() === 't' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      toggle();
    }
  };
  const onPlotKey = (event: React.KeyboardEvent) => {
    const next = event.key === 'Escape' ? null : movedBy(event.key, read, steps.length);
    if (next !== null || (event.key === 'Escape' && read !== null)) {
      event.preventDefault();
      event.stopPropagation();
      setAt(next);
    }
  };
  const textAt = (index: number) => {
    const step = steps[index];
    return step ? `${stepText(step)}: ${valuesText(series, index, format)}` : '';
  };
  return (
    <figure className={styles.chart} aria-labelledby={`${id}-title`} onKeyDown={onKeyDown}>
      <figcaption className={styles.head}>
        <span>
          <span id={`${id}-title`} className={styles.title}>
            {title}
          </span>
          <span id={`${id}-summary`} className={styles.summary}>
            {summary}
          </span>
        </span>
        {!blank && (
          <IconButton
            size="small"
            label={asTable ? `${title} as a chart (T)` : `${title} as a table (T)`}
            icon={asTable ? <ChartColumn /> : <Table2 />}
            onClick={toggle}
          />
        )}
      </figcaption>
      {blank ? (
        <p className={styles.empty}>{empty}</p>
      ) : asTable ? (
        <div className={styles.table}>
          <DataTable
            caption={title}
            columns={[{ label: 'When' }, ...series.map(({ label }) => ({ label, align: 'end' as const }))]}
            rows={steps
              .map((step, index) => ({
                key: String(step.since),
                cells: [
                  stepText(step),
                  ...series.map(({ values }) => {
                    const value = values[index] ?? null;
                    return value === null ? '–' : format(value);
                  }),
                ],
              }))
              .reverse()}
          />
        </div>
      ) : (
        <>
          {unit && (
            <span className={styles.unit}>
              {unit} per {stepLength(steps)}
            </span>
          )}
          <div
            className={styles.plot}
            role="slider"
            tabIndex={0}
            aria-label={`${title}, step by step`}
            aria-describedby={`${id}-summary`}
            aria-valuemin={0}
            aria-valuemax={steps.length - 1}
            aria-valuenow={read ?? steps.length - 1}
            aria-valuetext={textAt(read ?? steps.length - 1)}
            onKeyDown={onPlotKey}
            onPointerLeave={() => setAt(null)}
            style={{ minHeight: height }}
          >
            <Suspense fallback={null}>
              <Plot
                kind={kind}
                logarithmic={logarithmic}
                steps={steps}
                series={series}
                format={format}
                height={height}
                endsNow={endsNow}
                at={read}
                onAt={setAt}
              />
            </Suspense>
          </div>
          <div className={styles.foot}>
            <ul className={styles.legend}>
              {series.map(({ key, label, token, dash }) => (
                <li key={key}>
                  <span
                    className={kind === 'bars' ? styles.swatch : lineClass(dash)}
                    style={{ color: `var(${token})` }}
                    aria-hidden="true"
                  />
                  {label}
                </li>
              ))}
            </ul>
            <span className={styles.reading}>{read === null ? '' : textAt(read)}</span>
          </div>
        </>
      )}
    </figure>
  );
}

/** The style of the line in the legend. */
function lineClass(dash: readonly number[] | undefined): string | undefined {
  return dash === undefined ? styles.line : (dash[0] ?? 0) > 3 ? styles.dashed : styles.dotted;
}
