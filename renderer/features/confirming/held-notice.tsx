import { DiffLines } from '../../ui/diff-lines.tsx';
import { Section } from '../../ui/page.tsx';
import { ConfirmHeld } from './confirm-held.tsx';

/** What of one entry waits for a person's word, where that entry is shown. */
export function HeldNotice({ words, lines }: { words: string; lines: readonly string[] }) {
  return (
    <Section title="Waits for your word">
      <p>{words}</p>
      <DiffLines lines={lines} label="What would come into force" />
      <ConfirmHeld />
    </Section>
  );
}
