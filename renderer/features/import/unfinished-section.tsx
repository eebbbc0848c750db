import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Section } from '../../ui/page.tsx';
import { entriesOf, isUnfinished } from './answers.ts';
import styles from './import.module.css';

/** An earlier import whose page was closed before the approval: its entries exist, the files are unchanged. */
export function UnfinishedSection({ plan }: { plan: ImportPlanView }) {
  const isHeld = useBroker((state) => entriesOf(plan).some((key) => Object.hasOwn(state.sections.held, key)));
  if (!isUnfinished(plan)) {
    return null;
  }
  const files = plan.diffs.map(({ file }) => file).join(', ');
  return (
    <Section title="Everything is already imported">
      <p>
        {isHeld
          ? 'It is pending your approval. Import asks for that first, then edits '
          : 'It was imported, but '}
        <span className="mono">{files}</span>
        {isHeld ? '.' : ' was not edited. Import does that, and nothing else.'}
      </p>
      {!isHeld && (
        <p className={styles.muted}>Until then, kubectl keeps using the credentials in the file.</p>
      )}
    </Section>
  );
}
