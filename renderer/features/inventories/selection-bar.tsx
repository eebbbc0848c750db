import type { InventoryView } from '../../../main/contract/ui/state.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './inventories.module.css';
import { countText } from './profile-words.ts';
import { mostSelected, type Selection, sumOf } from './selection.ts';
import type { ProfileActions } from './use-profile-actions.ts';

export interface SelectionBarProps {
  selection: Selection;
  inventories: Readonly<Record<string, InventoryView>>;
  actions: ProfileActions;
  onClear(): void;
}

/** What can be done with the selected profiles. What would fail as a whole is said before. */
export function SelectionBar({ selection, inventories, actions, onClear }: SelectionBarProps) {
  const { toAdd, toRemove, unusable, tooMany } = sumOf(selection, inventories);
  const cannotAdd = toAdd.length === 0 || tooMany.length > 0;
  const notes = [
    ...(selection.size >= mostSelected ? [`${countText(mostSelected)} can be selected at most.`] : []),
    ...(unusable === 0 ? [] : [`${countText(unusable)} can’t be used.`]),
    ...tooMany.map(
      ({ inventory, contexts, inUse, more }) =>
        `${inventory} may have ${countText(contexts)} contexts: it has ${countText(inUse)}, and ${countText(more)} more are selected. Select fewer, or raise “Contexts at most” in its settings.`,
    ),
  ];
  return (
    <section className={styles.selection} aria-label="Selected profiles">
      <strong role="status">{countText(selection.size)} selected</strong>
      <Button
        size="small"
        busy={actions.busy === 'add'}
        aria-disabled={cannotAdd}
        onClick={() => {
          if (!cannotAdd) {
            void actions.add(toAdd).then((done) => done && onClear());
          }
        }}
      >
        {partOf('Add', toAdd.length, selection.size, 'to kubectl')}
      </Button>
      {toRemove.length > 0 && (
        <Button
          size="small"
          busy={actions.busy === 'remove'}
          onClick={() => void actions.remove(toRemove).then((done) => done && onClear())}
        >
          {partOf('Remove', toRemove.length, selection.size, 'from kubectl')}
        </Button>
      )}
      <Button size="small" kind="quiet" onClick={onClear}>
        Clear
      </Button>
      {notes.length > 0 && <span>{notes.join(' ')}</span>}
      {actions.failure && (
        <div className={styles.whole}>
          <Failure failure={actions.failure} />
        </div>
      )}
    </section>
  );
}

/** `Add to kubectl`, or `Add 10 to kubectl` if it is not for all of them. */
function partOf(verb: string, count: number, all: number, rest: string): string {
  return count === all || count === 0 ? `${verb} ${rest}` : `${verb} ${countText(count)} ${rest}`;
}
