export { Bars, type ChartProps, Lines, TablesContext } from './chart.tsx';
export type { ChartSeries, ChartStep } from './chart-data.ts';
