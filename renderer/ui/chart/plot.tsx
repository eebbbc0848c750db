import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { tokenColor } from '../token-color.ts';
import { axisMarks, type ChartSeries, type ChartStep, lonely, stacked } from './chart-data.ts';
import { useThemeTurn } from './use-theme-turn.ts';

export interface PlotProps {
  kind: 'bars' | 'lines';
  /** For values of very different sizes, none of them 0. */
  logarithmic: boolean;
  steps: readonly ChartStep[];
  series: readonly ChartSeries[];
  format(value: number): string;
  height: number;
  /** The last step is the current one. */
  endsNow: boolean;
  /** The selected step. Null: none. */
  at: number | null;
  onAt(index: number | null): void;
}

const axisSize = 52;
/** The room of one label of time. */
const labelPixels = 64;
const wholeSteps = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((each) => each * 10 ** power),
).flat();

/** The drawing, with its library: a separate part, loaded when a chart is first shown. */
export function Plot({ kind, logarithmic, steps, series, format, height, endsNow, at, onAt }: PlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const turn = useThemeTurn();
  const live = useRef({ format, onAt });
  live.current = { format, onAt };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = host.current;
    if (!element) {
      return undefined;
    }
    const options = optionsOf({ kind, logarithmic, steps, series, height, endsNow }, element, live.current);
    const made = new UPlot(options, dataOf(kind, steps, series), element);
    plot.current = made;
    const observer = new ResizeObserver(() => {
      made.setSize({ width: Math.max(120, element.clientWidth), height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [kind, logarithmic, steps, series, height, endsNow, turn]);

  useEffect(() => {
    const made = plot.current;
    if (made && at !== (made.cursor.idx ?? null)) {
      const x = at === null ? null : middle(steps[at]);
      made.setCursor(x === null ? { left: -10, top: -10 } : { left: made.valToPos(x, 'x'), top: 4 }, false);
    }
  }, [at, steps]);

  return <div ref={host} aria-hidden="true" />;
}

function middle(step: ChartStep | undefined): number {
  return step ? (step.since + step.until) / 2_000 : 0;
}

/** The powers of ten within these limits. */
function decades(min: number, max: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(min)), Math.floor(Math.log10(max))];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => 10 ** (first + index));
}

/** Draws a stack from its highest edge down: each lower area covers the one before. */
function dataOf(kind: PlotProps['kind'], steps: readonly ChartStep[], series: readonly ChartSeries[]) {
  const values = kind === 'bars' ? stacked(series).reverse() : series.map((each) => [...each.values]);
  return [steps.map(middle), ...values] as UPlot.AlignedData;
}

function optionsOf(
  {
    kind,
    logarithmic,
    steps,
    series,
    height,
    endsNow,
  }: Pick<PlotProps, 'kind' | 'logarithmic' | 'steps' | 'series' | 'height' | 'endsNow'>,
  element: HTMLElement,
  live: Pick<PlotProps, 'format' | 'onAt'>,
): UPlot.Options {
  const color = (token: `--${string}`) => tokenColor(element, token);
  const [line, text, panel] = [color('--line'), color('--faint'), color('--background')];
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  const axis: UPlot.Axis = { stroke: text, font, ticks: { show: false }, gap: 6 };
  const drawn = kind === 'bars' ? series.toReversed() : series;
  const [since, until] = [steps[0]?.since ?? 0, steps.at(-1)?.until ?? 1_000];
  const marksOf = ({ bbox }: UPlot) =>
    axisMarks(since, until, { most: Math.floor(bbox.width / devicePixelRatio / labelPixels), endsNow });
  return {
    width: Math.max(120, element.clientWidth),
    height,
    // Half of the last label overlaps the right edge.
    padding: [8, 26, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      points: { show: kind === 'lines', size: 7, width: 1.5, fill: panel },
    },
    scales: {
      x: { time: true, range: [since / 1000, until / 1000] },
      y: logarithmic
        ? { distr: 3, range: (_, min, max) => [Math.max(min, 1) / 2, Math.max(max, 1) * 2] }
        : { range: (_, __, max) => [0, max * 1.08 || 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        splits: (made) => marksOf(made).map(({ at }) => at / 1000),
        values: (made) => marksOf(made).map(({ text }) => text),
      },
      {
        ...axis,
        size: axisSize,
        ...(logarithmic && { splits: (_: UPlot, __: number, min: number, max: number) => decades(min, max) }),
        ...(logarithmic && { filter: (_: UPlot, splits: number[]) => splits }),
        // Counts are integers.
        ...(kind === 'bars' && { incrs: wholeSteps }),
        space: 28,
        grid: { stroke: line, width: 1 },
        // A logarithmic axis has null for labels that are left out.
        values: (_, splits) =>
          splits.map((value) => ((value as number | null) === null ? '' : live.format(value))),
      },
    ],
    series: [
      {},
      ...drawn.map(({ label, token, dash }): UPlot.Series => {
        const stroke = color(token);
        return kind === 'bars'
          ? {
              label,
              fill: stroke,
              stroke,
              width: 0,
              points: { show: false },
              paths: UPlot.paths.bars?.({ size: [0.78, 40, 1], gap: 0 }) as UPlot.Series.PathBuilder,
            }
          : {
              label,
              stroke,
              width: 1.75,
              points: { show: false, size: 5, filter: (made, at) => lonely(Array.from(made.data[at] ?? [])) },
              spanGaps: false,
              ...(dash && { dash: [...dash] }),
            };
      }),
    ],
    hooks: {
      setCursor: [
        (made) => {
          if (made.cursor.event) {
            live.onAt(made.cursor.idx ?? null);
          }
        },
      ],
    },
  };
}
