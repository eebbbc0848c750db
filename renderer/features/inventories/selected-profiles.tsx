import { countText } from '../../../main/contract/ui/count-text.ts';
import type { InventoryView } from '../../../main/contract/ui/state.ts';
import { Button } from '../../ui/button.tsx';
import { SelectionBar } from '../../ui/selection-bar.tsx';
import { mostSelected, type ProfileSelection, sumOf } from './selection.ts';
import type { ProfileActions } from './use-profile-actions.ts';

export interface SelectedProfilesProps {
  selection: ProfileSelection;
  inventories: Readonly<Record<string, InventoryView>>;
  actions: ProfileActions;
  onClear(): void;
}

/** What can be done with the selected profiles. What would fail as a whole is said before. */
export function SelectedProfiles({ selection, inventories, actions, onClear }: SelectedProfilesProps) {
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
    <SelectionBar
      label="Selected profiles"
      count={countText(selection.size)}
      notes={notes}
      failure={actions.failure}
      onClear={onClear}
    >
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
    </SelectionBar>
  );
}

/** `Add to kubectl`, or `Add 10 to kubectl` if it is not for all of them. */
function partOf(verb: string, count: number, all: number, rest: string): string {
  return count === all || count === 0 ? `${verb} ${rest}` : `${verb} ${countText(count)} ${rest}`;
}
