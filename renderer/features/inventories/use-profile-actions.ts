import { useState } from 'react';
import type { ProfileNameView } from '../../../main/contract/ui/calls/inventories.ts';
import { countText } from '../../../main/contract/ui/count-text.ts';
import type { UiFailure } from '../../../main/contract/ui/messages.ts';
import { useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { useToast } from '../../ui/toast.tsx';

export interface ProfileActions {
  busy: 'add' | 'remove' | null;
  failure: UiFailure | null;
  /** Contexts that the user added here, which may be pending approval. */
  added: readonly string[];
  /** True: it was done. */
  add(profiles: readonly ProfileNameView[]): Promise<boolean>;
  remove(profiles: readonly ProfileNameView[]): Promise<boolean>;
  reset(): void;
}

/** Adds profiles to kubectl, and removes them. What is added is pending until the user approves it. */
export function useProfileActions(): ProfileActions {
  const client = useClient();
  const toast = useToast();
  const [busy, setBusy] = useState<ProfileActions['busy']>(null);
  const [failure, setFailure] = useState<UiFailure | null>(null);
  const [added, setAdded] = useState<readonly string[]>([]);

  async function run(what: 'add' | 'remove', work: () => Promise<void>): Promise<boolean> {
    setBusy(what);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(failureOf(error));
      return false;
    } finally {
      setBusy(null);
    }
  }

  const add = (profiles: readonly ProfileNameView[]) =>
    run('add', async () => {
      const { contexts, held, warnings } = await client.call('inventory.use', {
        profiles: namesOf(profiles),
      });
      setAdded(contexts);
      toast.show(
        `${whatText(contexts)} added to kubectl`,
        [held > 0 ? 'Approve to use.' : '', ...warnings].filter(Boolean).join(' ') || undefined,
      );
    });
  const remove = (profiles: readonly ProfileNameView[]) =>
    run('remove', async () => {
      const { contexts, warnings } = await client.call('inventory.drop', { profiles: namesOf(profiles) });
      toast.show(`${whatText(contexts)} removed from kubectl`, warnings.join(' ') || undefined, {
        label: 'Undo',
        run: () =>
          void add(profiles).then((done) => done || toast.fail({ message: 'could not be added again' })),
      });
    });
  return { busy, failure, added, add, remove, reset: () => setFailure(null) };
}

function namesOf(profiles: readonly ProfileNameView[]): ProfileNameView[] {
  return profiles.map(({ inventory, namespace, name }) => ({ inventory, namespace, name }));
}

function whatText(contexts: readonly string[]): string {
  const [first = 'Nothing'] = contexts;
  return contexts.length <= 1 ? first : `${countText(contexts.length)} contexts`;
}
