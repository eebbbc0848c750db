import { useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import { counted } from '../../../main/contract/ui/count-text.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { ColorMark } from '../../ui/color-mark.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextInput } from '../../ui/field.tsx';
import { moved } from '../../ui/keys/index.ts';
import { Name } from '../../ui/name.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { useNow } from '../../ui/time/index.ts';
import { found, type PaletteEntry, paletteEntries } from './entries.ts';
import styles from './palette.module.css';
import { usePaletteActions } from './use-palette-actions.ts';

export interface PaletteProps {
  /** What was typed, even before the palette had the focus. */
  query: string;
  onQuery(query: string): void;
  onClose(): void;
  onKeys(): void;
}

/** Finds clusters, accounts and actions by name. */
export function Palette({ query, onQuery, onClose, onKeys }: PaletteProps) {
  const clusters = useBroker((state) => state.sections.clusters);
  const inventories = useBroker((state) => state.sections.inventories);
  const registries = useBroker((state) => state.sections.registries);
  const accounts = useBroker((state) => state.sections.accounts);
  const lock = useBroker((state) => state.sections.lock);
  const now = useNow(60_000);
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const run = usePaletteActions({ onKeys });
  const listId = useId();
  const entries = useMemo(
    () => paletteEntries({ clusters, inventories, registries, accounts, lock }, now),
    [clusters, inventories, registries, accounts, lock, now],
  );
  const asked = useDeferredValue(query);
  const shown = useMemo(() => found(entries, asked), [entries, asked]);
  const index = Math.min(chosen, shown.length - 1);
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry) {
      onClose();
      void run(entry.what);
    }
  };
  return (
    <Dialog open onOpenChange={onClose} title="Search" initialFocus={input}>
      <div className={styles.palette}>
        <TextInput
          ref={input}
          role="combobox"
          aria-label="Search clusters, accounts and actions"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={index < 0 ? undefined : `${listId}-${index}`}
          placeholder="Search clusters, accounts and commands"
          value={query}
          onChange={(event) => {
            onQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            // Home and End move within the text.
            const to = /^(Arrow|Page)/.test(event.key) ? moved(event.key, index, shown.length, 8) : null;
            if (to !== null) {
              event.preventDefault();
              setChosen(to);
            } else if (event.key === 'Enter') {
              event.preventDefault();
              // Uses the typed text, even if its results aren't drawn yet.
              choose(query === asked ? shown[index] : found(entries, query)[0]);
            }
          }}
        />
        <Answers id={listId} entries={shown} chosen={index} onChoose={choose} />
        <p className="unseen" role="status">
          {counted(shown.length, 'result')}
        </p>
      </div>
    </Dialog>
  );
}

interface AnswersProps {
  id: string;
  entries: readonly PaletteEntry[];
  chosen: number;
  onChoose(entry: PaletteEntry): void;
}

function Answers({ id, entries, chosen, onChoose }: AnswersProps) {
  const groups = [...new Set(entries.map(({ group }) => group))];
  if (entries.length === 0) {
    return <p className={styles.none}>No results</p>;
  }
  return (
    <div id={id} role="listbox" aria-label="Answers" className={styles.list}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: groups of a listbox are this
        <div key={group} role="group" aria-label={group}>
          <p className={styles.group} aria-hidden="true">
            {group}
          </p>
          {entries.map((entry, index) =>
            entry.group !== group ? null : (
              // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays in the input
              <div
                key={entry.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === chosen}
                className={styles.option}
                ref={
                  index === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined
                }
                onClick={() => onChoose(entry)}
              >
                {entry.health && <StatusMark health={entry.health} />}
                <Name className={styles.title} text={entry.title} full={entry.full} />
                {entry.mark && <ColorMark mark={entry.mark} />}
                {entry.detail && <Name className={styles.detail} text={entry.detail} />}
              </div>
            ),
          )}
        </div>
      ))}
    </div>
  );
}
