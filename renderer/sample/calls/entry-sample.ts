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
  'entry.setApproval': ({ kind, names, approval }, { world }) => {
    for (const [name, entry] of names.map((name) => [name, mustRead(world, kind, name)] as const)) {
      const approve = kinds[kind].write(world, name, { ...entry, approval });
      hold(world, { what: kind, name, change: 'it changes' }, [`+ approval: ${approval}`], approve);
    }
    return { held: names.length };
  },
  'entry.remove': ({ kind, names }, { world }) => {
    for (const name of names) {
      mustRead(world, kind, name);
    }
    const undo = names.join(' ').slice(0, 64);
    const putBack = names.map((name) => kinds[kind].remove(world, name));
    removedIn(world).set(`${kind} ${undo}`, () => putBack.forEach((one) => void one()));
    for (const name of names) {
      letGo(world, { what: kind, name });
    }
    return { undo };
  },
  'entry.putBack': ({ kind, undo }, { world }) => {
    const putBack = removedIn(world).get(`${kind} ${undo}`);
    if (!putBack) {
      throw new SampleRefusal('what was removed is not remembered any more');
    }
    putBack();
    return { held: 0 };
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
