import { useCallback, useMemo, useRef, useState } from 'react';
import { type Selection, toggled, withAll } from '../../../ui/selection.ts';
import { clustersBetween, type ListRow } from './list-rows.ts';

/** One call takes no more. */
const mostSelected = 5_000;

export interface Selecting {
  /** The clusters that are selected, by name. */
  selection: Selection<string>;
  /** One cluster, or all from the last one to it. The same function as long as the page is open. */
  pick(name: string, how: 'box' | 'range'): void;
  /** The user went to another row: a range begins there. */
  leaveAnchor(): void;
  all(): void;
  clear(): void;
}

/** Selects clusters: one by one, from the one that the user is at (`here`) to another, and all of the list. */
export function useSelecting(rows: readonly ListRow[], here: string | null): Selecting {
  const [selection, setSelection] = useState<Selection<string>>(new Map());
  const anchor = useRef<string | null>(null);
  const now = useRef({ rows, here });
  now.current = { rows, here };
  const add = useCallback(
    (names: readonly string[]) =>
      setSelection((before) =>
        withAll(
          before,
          names.map((name) => [name, name] as const),
          mostSelected,
        ),
      ),
    [],
  );
  const pick = useCallback(
    (name: string, how: 'box' | 'range') => {
      if (how === 'box') {
        anchor.current = name;
        setSelection((before) => toggled(before, name, name, mostSelected));
        return;
      }
      anchor.current ??= now.current.here ?? name;
      add(clustersBetween(now.current.rows, anchor.current, name));
      // With Shift, a click selects text, too.
      window.getSelection()?.removeAllRanges();
    },
    [add],
  );
  return useMemo(
    () => ({
      selection,
      pick,
      leaveAnchor() {
        anchor.current = null;
      },
      all: () => add(clustersBetween(now.current.rows, null, null)),
      clear() {
        anchor.current = null;
        setSelection(new Map());
      },
    }),
    [selection, pick, add],
  );
}
