import { type Pending, pendingText } from '../../../main/contract/pending-words.ts';
import { DiffLines } from '../../ui/diff-lines.tsx';
import { Section } from '../../ui/page.tsx';
import { ConfirmHeld } from './confirm-held.tsx';

/** What of one entry is pending approval, where that entry is shown. */
export function HeldNotice({ pending, lines }: { pending: Pending; lines: readonly string[] }) {
  return (
    <Section title="Pending approval">
      <p>{pendingText([pending])}</p>
      <DiffLines lines={lines} label="Pending changes" />
      <ConfirmHeld />
    </Section>
  );
}
