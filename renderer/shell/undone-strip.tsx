import { FileWarning } from 'lucide-react';
import { useContext } from 'react';
import { sentence } from '../../main/contract/ui/sentence.ts';
import type { ProblemsView } from '../../main/contract/ui/state.ts';
import { CommandLine } from '../ui/command-line.tsx';
import { Strip, StripPlaceContext } from '../ui/strip.tsx';
import styles from './config-problems.module.css';

/** At least one: what no longer holds, and the command that makes the edit again. */
export function UndoneStrip({ edits }: { edits: ProblemsView['undone'] }) {
  const { folded } = useContext(StripPlaceContext);
  return (
    <Strip tone="soon" label="Changed by another program" icon={<FileWarning />}>
      <strong>Another program changed what Lanyard had set up.</strong>
      <ul className={folded ? undefined : styles.list}>
        {edits.map(({ file, text, command }) => (
          <li key={file}>
            <span>
              <code>{file}</code> {sentence(text)}
            </span>
            {!folded && <CommandLine command={command} />}
          </li>
        ))}
      </ul>
    </Strip>
  );
}
