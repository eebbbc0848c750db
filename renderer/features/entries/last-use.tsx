import type { ClusterView, RegistryView } from '../../../main/contract/ui/state.ts';
import { agoText, useOfNow } from '../../ui/time/index.ts';
import styles from './entries.module.css';

/** The program that asked last, and how long ago. */
export function LastUse({ of: { lastCall } }: { of: Pick<ClusterView | RegistryView, 'lastCall'> }) {
  const ago = useOfNow((now) => (lastCall ? agoText(lastCall.at, now) : ''));
  if (!lastCall) {
    return <span className={styles.never}>never used</span>;
  }
  const { program, parent, outcome } = lastCall;
  // The column may be too narrow for both names.
  const names = `${program ?? 'a program'}${parent === null ? '' : ` · ${parent}`}`;
  return (
    <>
      <span title={names}>{names}</span>
      <small>
        {outcome === 'refused' && 'denied '}
        {outcome === 'noCredential' && 'no credential '}
        {ago}
      </small>
    </>
  );
}
