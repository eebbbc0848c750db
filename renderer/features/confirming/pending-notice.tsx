import { type Pending, pendingText } from '../../../main/contract/pending-words.ts';
import { DiffLines } from '../../ui/diff-lines.tsx';
import { Section } from '../../ui/page.tsx';
import { ApprovePending } from './approve-pending.tsx';

/** What of one entry is pending approval, where that entry is shown. */
export function PendingNotice({ pending, lines }: { pending: Pending; lines: readonly string[] }) {
  return (
    <Section title="Pending approval">
      <p>{pendingText([pending])}</p>
      <DiffLines lines={lines} label="Pending changes" />
      <ApprovePending />
    </Section>
  );
}
