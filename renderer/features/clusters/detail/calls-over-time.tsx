import { useMemo } from 'react';
import { callCounts, callsText } from '../../../../main/contract/ui/call-words.ts';
import { countText } from '../../../../main/contract/ui/count-text.ts';
import { useCall } from '../../../stores/use-call.ts';
import { Bars } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/states.tsx';
import { useNow } from '../../../ui/time/index.ts';
import { callSeries } from '../../metrics/figures.ts';
import { callsSpan } from './calls-span.ts';
import { useKept } from './use-kept.ts';

/** Calls for a cluster in the visible time, by outcome. */
export function CallsOverTime({
  cluster,
  window,
  refreshOn,
}: {
  cluster: string;
  window: { since: number; until: number };
  refreshOn: number | null;
}) {
  const now = useNow(60_000);
  const { value, failure, reload } = useCall(
    'cluster.calls',
    { cluster, ...callsSpan(window, now) },
    { refreshOn },
  );
  const steps = useKept(value)?.steps;
  const series = useMemo(() => callSeries(steps ?? []), [steps]);
  if (failure) {
    return <Failure failure={failure} onRetry={reload} />;
  }
  if (!steps) {
    return null;
  }
  return (
    <Bars
      title="Calls in this time"
      unit="calls"
      steps={steps}
      series={series}
      format={countText}
      summary={callsText(callCounts(steps))}
      empty="No calls in this time."
      height={120}
    />
  );
}
