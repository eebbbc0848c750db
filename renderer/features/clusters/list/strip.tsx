import { callsText } from '../../../../main/contract/ui/call-words.ts';
import { useBroker } from '../../../stores/use-broker.tsx';
import { tookText } from '../../../ui/time/index.ts';

/** The calls of the last hour, and how long an answer takes. */
export function Strip() {
  const strip = useBroker((state) => state.sections.strip['']);
  if (!strip) {
    return null;
  }
  const { thisHour, medianMicroseconds } = strip;
  const words = callsText(thisHour, 'this hour');
  return (
    <>
      <span>{words.slice(0, 1).toUpperCase() + words.slice(1)}</span>
      {medianMicroseconds !== null && (
        <span title="Half of the answers from the cache are faster">
          median answer {tookText(medianMicroseconds)}
        </span>
      )}
    </>
  );
}
