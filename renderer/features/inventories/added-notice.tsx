import { countText } from '../../../main/contract/ui/count-text.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { ApprovePending } from '../confirming/approve-pending.tsx';
import styles from './inventories.module.css';

/** How many of the contexts that were added here are pending approval, and how to approve them. Nothing if none is. */
export function AddedNotice({ contexts }: { contexts: readonly string[] }) {
  const count = useBroker(
    (state) => contexts.filter((name) => Object.hasOwn(state.sections.held, `cluster ${name}`)).length,
  );
  if (count === 0) {
    return null;
  }
  return (
    <section className={styles.notice} aria-label="Added contexts">
      <p role="status">
        {count === 1 ? '1 context is' : `${countText(count)} contexts are`} added, and pending approval. No
        credential is issued for {count === 1 ? 'it' : 'them'} before.
      </p>
      <ApprovePending />
    </section>
  );
}
