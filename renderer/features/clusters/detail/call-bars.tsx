import { useCall } from '../../../stores/use-call.ts';
import { Failure } from '../../../ui/states.tsx';
import { clockText, useNow } from '../../../ui/time/index.ts';
import styles from './cluster.module.css';
import { useKept } from './use-kept.ts';

const hour = 3_600_000;

/** Calls of the last 12 hours, in bars of half an hour. Denied and failed calls have other colours. */
export function CallBars({ cluster, refreshOn }: { cluster: string; refreshOn: number | null }) {
  const now = useNow(60_000);
  // The current half hour is the last bar, even at its very start.
  const until = (Math.floor(now / (hour / 2)) + 1) * (hour / 2);
  const { value, failure, reload } = useCall(
    'cluster.calls',
    { cluster, since: until - 12 * hour, until, steps: 24 },
    { refreshOn },
  );
  const steps = useKept(value)?.steps.map(({ since, counts }) => {
    const sum = (kept: (of: (typeof counts)[number]) => boolean) =>
      counts.filter(kept).reduce((total, { calls }) => total + calls, 0);
    return { since, all: sum(() => true), bad: sum((each) => each.class !== 'handedOut') };
  });
  if (failure) {
    return <Failure failure={failure} onRetry={reload} />;
  }
  if (!steps) {
    return <div className={styles.bars} />;
  }
  const most = Math.max(1, ...steps.map(({ all }) => all));
  const total = steps.reduce((sum, { all }) => sum + all, 0);
  const bad = steps.reduce((sum, step) => sum + step.bad, 0);
  const first = steps[0]?.since ?? now;
  const words = `${total} ${total === 1 ? 'request' : 'requests'} since ${clockText(first, now)}, ${bad === 0 ? 'none' : bad} without a credential`;
  return (
    <>
      <div className={styles.bars} role="img" aria-label={words}>
        {steps.map(({ since, all, bad: without }) => (
          <div key={since} className={styles.bar} title={`${clockText(since, now)}: ${all}`}>
            <div className={styles.barBad} style={{ height: `${(without / most) * 100}%` }} />
            <div className={styles.barGood} style={{ height: `${((all - without) / most) * 100}%` }} />
          </div>
        ))}
      </div>
      <p className={styles.faint}>{total === 0 ? 'No requests.' : `${words}.`}</p>
    </>
  );
}
