import type { EntryKind } from '../../../main/contract/ui/calls/entries.ts';
import { useClient } from '../../stores/use-broker.tsx';
import { failureOf, useAction } from '../../stores/use-call.ts';
import { useToast } from '../../ui/toast.tsx';

/** Removes entries from config.yaml by one change. The message about it has an Undo button. */
export function useRemoveEntries(kind: EntryKind) {
  const remove = useAction('entry.remove');
  const client = useClient();
  const toast = useToast();
  const putBack = async (undo: string, what: string, count: number) => {
    try {
      const { held } = await client.call('entry.putBack', { kind, undo });
      toast.show(`${what} restored`, held === 0 ? undefined : pendingText(held, count));
    } catch (error) {
      toast.fail(failureOf(error));
    }
  };
  return {
    busy: remove.busy,
    failure: remove.failure,
    /** `what`: as the messages call them. True: they are removed. */
    async run(names: readonly string[], what: string): Promise<boolean> {
      const done = await remove.run({ kind, names: [...names] });
      if (done) {
        toast.show(`${what} ${names.length === 1 ? 'is' : 'are'} removed`, staysText(kind, names.length), {
          label: 'Undo',
          run: () => void putBack(done.undo, what, names.length),
        });
      }
      return done !== null;
    },
  };
}

function staysText(kind: EntryKind, count: number): string {
  return `${count > 1 ? 'Their' : 'Its'} ${count > 1 || kind === 'inventory' ? 'accounts stay' : 'account stays'}.`;
}

function pendingText(held: number, count: number): string {
  return count === 1
    ? 'It changed in the meantime: the change is pending approval.'
    : `Pending approval: ${held} of them.`;
}
