import { useMemo } from 'react';
import { useCall } from '../../stores/use-call.ts';
import { Bars, type ChartSeries } from '../../ui/chart/index.ts';
import { Failure } from '../../ui/states.tsx';
import { useKept } from './use-kept.ts';

/** By what became of them; the first is at the foot. */
const outcomes = [
  { key: 'handedOut', label: 'Handed out', token: '--good' },
  { key: 'declined', label: 'Said no, as it was meant', token: '--soon' },
  { key: 'failed', label: 'Failed', token: '--bad' },
] as const;

/** Calls for a cluster in the time that is seen, by outcome. */
export function CallsOverTime({
  cluster,
  window,
  refreshOn,
}: {
  cluster: string;
  window: { since: number; until: number };
  refreshOn: number | null;
}) {
  const { value, failure, reload } = useCall(
    'cluster.calls',
    { cluster, ...window, steps: 40 },
    { refreshOn },
  );
  const steps = useKept(value)?.steps;
  const series = useMemo<ChartSeries[]>(
    () =>
      outcomes.map(({ key, ...outcome }) => ({
        key,
        ...outcome,
        values: (steps ?? []).map(({ counts }) =>
          counts.reduce((sum, each) => (each.class === key ? sum + each.calls : sum), 0),
        ),
      })),
    [steps],
  );
  if (failure) {
    return <Failure failure={failure} onRetry={reload} />;
  }
  if (!steps) {
    return null;
  }
  const total = (of: ChartSeries) => of.values.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  return (
    <Bars
      title="Calls in this time"
      steps={steps}
      series={series}
      format={(count) => String(Math.round(count))}
      summary={series.map((each) => `${each.label}: ${total(each)}`).join(', ')}
      empty="No calls in this time."
      height={120}
    />
  );
}
