import { type Pending, pendingText } from '../../../main/contract/pending-words.ts';
import { DiffLines } from '../../ui/diff-lines.tsx';
import { Section } from '../../ui/page.tsx';
import { ApprovePending } from './approve-pending.tsx';

/** The pending changes of one entry, shown at that entry. */
export function PendingNotice({ pending, lines }: { pending: Pending; lines: readonly string[] }) {
  return (
    <Section title="Pending approval">
      <p>{pendingText([pending])}</p>
      <DiffLines lines={lines} label="Pending changes" />
      <ApprovePending />
    </Section>
  );
}
