import { callClassNames, callCounts, callsText } from '../../../../main/contract/ui/call-words.ts';
import { useCall } from '../../../stores/use-call.ts';
import { Failure } from '../../../ui/states.tsx';
import { clockText, useNow } from '../../../ui/time/index.ts';
import styles from './cluster.module.css';
import { useKept } from './use-kept.ts';

const hour = 3_600_000;

/** From the top of a bar down. */
const stack = [
  ['failed', styles.barFailed],
  ['declined', styles.barDenied],
  ['noCredential', styles.barNone],
  ['handedOut', styles.barGood],
] as const;

/** Calls of the last 12 hours, in bars of half an hour, by what became of them. */
export function CallBars({ cluster, refreshOn }: { cluster: string; refreshOn: number | null }) {
  const now = useNow(60_000);
  // The current half hour is the last bar, even at its very start.
  const until = (Math.floor(now / (hour / 2)) + 1) * (hour / 2);
  const { value, failure, reload } = useCall(
    'cluster.calls',
    { cluster, since: until - 12 * hour, until, steps: 24 },
    { refreshOn },
  );
  const steps = useKept(value)?.steps;
  if (failure) {
    return <Failure failure={failure} onRetry={reload} />;
  }
  if (!steps) {
    return <div className={styles.bars} />;
  }
  const bars = steps.map((step) => {
    const counts = callCounts([step]);
    return { ...step, counts, all: stack.reduce((sum, [name]) => sum + counts[name], 0) };
  });
  const total = callCounts(steps);
  const most = Math.max(1, ...bars.map(({ all }) => all));
  const first = steps[0]?.since ?? now;
  const words = callsText(total, `since ${clockText(first, now)}`);
  return (
    <>
      <div className={styles.bars} role="img" aria-label={words}>
        {bars.map(({ since, until: end, counts }) => (
          <div
            key={since}
            className={styles.bar}
            title={callsText(counts, `${clockText(since, now)}–${clockText(end)}`)}
          >
            {stack.map(([name, style]) => (
              <div key={name} className={style} style={{ height: `${(counts[name] / most) * 100}%` }} />
            ))}
          </div>
        ))}
      </div>
      <div className={styles.hours} aria-hidden="true">
        <span>{clockText(first, now)}</span>
        <span>now</span>
      </div>
      <p className={styles.faint}>{words.slice(0, 1).toUpperCase() + words.slice(1)}.</p>
      {stack.slice(0, 3).some(([name]) => total[name] > 0) && (
        <ul className={styles.barLegend} aria-label="Colours">
          {stack
            .toReversed()
            .filter(([name]) => total[name] > 0)
            .map(([name, style]) => (
              <li key={name}>
                <span className={style} aria-hidden="true" />
                {callClassNames[name]}
              </li>
            ))}
        </ul>
      )}
    </>
  );
}
