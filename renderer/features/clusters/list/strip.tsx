import { useBroker } from '../../../stores/use-broker.tsx';
import { tookText } from '../../../ui/time/index.ts';
import { shareText } from './share-text.ts';

/** The calls of the last hour, and the day's budget (KEP-541: 0.01% of the calls may fail). */
export function Strip() {
  const strip = useBroker((state) => state.sections.strip['']);
  if (!strip) {
    return null;
  }
  const { callsThisHour, failedThisHour, medianMicroseconds, failedShare24h } = strip;
  return (
    <>
      <span>
        {callsThisHour} {callsThisHour === 1 ? 'call' : 'calls'} this hour
      </span>
      <span>{failedThisHour} failed</span>
      {medianMicroseconds !== null && <span>median {tookText(medianMicroseconds)}</span>}
      <span>
        {failedShare24h === null
          ? 'no calls in 24 h'
          : `failures in 24 h: ${shareText(failedShare24h)} (target ≤ 0.01%)`}
      </span>
    </>
  );
}
