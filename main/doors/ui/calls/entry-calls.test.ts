import { expect, test } from 'vitest';
import type { ConfigEntry, EntryKind } from '../../../contract/ui/calls/entries.ts';
import { createEntryCalls, type EntryCallsDeps } from './entry-calls.ts';

const context = {} as never;

test.for([
  ['cluster', { certificateAuthority: '\\\\evil\\s\\ca.pem' }, 'certificateAuthority'],
  ['inventory', { files: ['/fine', '//evil/s/list.yaml'] }, 'files'],
] satisfies [EntryKind, ConfigEntry, string][])(
  'a %s that names a path of another machine is neither checked nor written',
  async ([kind, entry, field]) => {
    const asked: unknown[] = [];
    const own = {
      check: async (...all: unknown[]) => {
        asked.push(all);
        return [];
      },
      set: async (...all: unknown[]) => {
        asked.push(all);
        return { held: true };
      },
    };
    const calls = createEntryCalls({
      entries: { cluster: own, registry: own, inventory: own },
      vault: { state: () => ({ kind: 'open' }) },
    } as unknown as EntryCallsDeps);
    const input = { kind, name: 'x', isNew: true, entry };
    expect((await calls['entry.check'](input, context)).problems).toMatchObject([
      { field, severity: 'error' },
    ]);
    await expect(calls['entry.set'](input, context)).rejects.toMatchObject({ code: `${kind}.path` });
    expect(asked).toEqual([]);
    await calls['entry.check']({ ...input, entry: { certificateAuthority: '/ca.pem' } }, context);
    expect(asked).toHaveLength(1);
  },
);
