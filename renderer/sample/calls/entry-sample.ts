import type { ConfigEntry, EntryKind } from '../../../main/contract/ui/calls/entries.ts';
import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import { hold, letGo, pendingLines } from '../sample-pending.ts';
import type { SampleWorld } from '../sample-world.ts';
import { sampleClusters } from './cluster-entries.ts';
import { sampleInventoryEntries } from './inventory-entries.ts';
import { sampleRegistries } from './registry-entries.ts';
import type { SampleEntries } from './sample-entries.ts';

const file = '/home/dev/.config/lanyard/config.yaml';

const kinds: Readonly<Record<EntryKind, SampleEntries>> = {
  cluster: sampleClusters,
  registry: sampleRegistries,
  inventory: sampleInventoryEntries,
};

export const entrySample = {
  'entry.config': ({ kind, name }, { world }) => {
    const lines = pendingLines(world, { what: kind, name });
    const held = world.get('held', `${kind} ${name}`);
    return {
      entry: mustRead(world, kind, name),
      file,
      held: lines && {
        change: held?.change === 'it is new' ? 'new' : 'changed',
        served: held?.served ?? false,
        lines,
      },
    };
  },
  'entry.check': ({ kind, name, isNew, entry }, { world }) => {
    const error = (field: string, message: string) => ({ field, message, severity: 'error' as const });
    return {
      problems: [
        ...(isNew && kinds[kind].read(world, name)
          ? [error('name', `there is ${kind === 'inventory' ? 'an' : 'a'} ${kind} ${name} already`)]
          : []),
        ...(kind === 'inventory' || world.get('accounts', String(entry['account'] ?? ''))
          ? []
          : [error('account', 'there is no such account')]),
        ...kinds[kind].check(entry),
      ],
    };
  },
  'entry.set': ({ kind, name, isNew, entry }, { world }) => {
    const approve = kinds[kind].write(world, name, entry);
    hold(
      world,
      { what: kind, name, change: isNew ? 'it is new' : 'it changes' },
      Object.entries(entry).map(
        ([key, value]) => `+ ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
      approve,
    );
    return { held: true };
  },
  'entry.remove': ({ kind, name }, { world }) => {
    mustRead(world, kind, name);
    removedIn(world).set(`${kind} ${name}`, kinds[kind].remove(world, name));
    letGo(world, { what: kind, name });
    return { undo: name };
  },
  'entry.putBack': ({ kind, undo }, { world }) => {
    const putBack = removedIn(world).get(`${kind} ${undo}`);
    if (!putBack) {
      throw new SampleRefusal('what was removed is not remembered any more');
    }
    putBack();
    return { name: undo, held: false };
  },
} satisfies SomeHandlers;

function mustRead(world: SampleWorld, kind: EntryKind, name: string): ConfigEntry {
  const found = kinds[kind].read(world, name);
  if (!found) {
    throw new SampleRefusal(`there is no ${kind} named ${name}`);
  }
  return found;
}

function removedIn(world: SampleWorld): Map<string, () => void> {
  return world.memory('removed entries', () => new Map());
}
