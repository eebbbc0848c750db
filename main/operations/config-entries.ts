import { randomUUID } from 'node:crypto';
import type { Bindings } from '../access/bindings.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { configuredKinds, groupOf } from '../contract/config/config.ts';
import { configName } from '../contract/config/names.ts';
import type { EntryKind } from '../contract/ui/calls/entries.ts';
import type { RemovedApproval } from '../domain/approval/removed-approval.ts';
import { coversStrangers } from '../domain/image/shared-domains.ts';
import { entriesOf } from '../domain/loaded-config.ts';
import { unknownName } from '../domain/text/unknown-name.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import { type EditConfigDeps, type EditedBy, editConfig, editEntries, setKeys } from './edit-config.ts';
import { mustBe } from './entry-name.ts';

/** An entry of config.yaml as it is written. */
export type Entry = Readonly<Record<string, unknown>>;

export interface EntryProblem {
  /** A key of the entry; null: it concerns the whole entry, or config.yaml. */
  field: string | null;
  message: string;
  severity: 'error' | 'warning';
}

export interface ConfigEntriesDeps extends EditConfigDeps {
  config: Pick<ConfigStore, 'edit' | 'stated' | 'current' | 'check' | 'entries' | 'file' | 'onChange'>;
  bindings: EditConfigDeps['bindings'] & Pick<Bindings, 'pending' | 'approvalOf' | 'restore'>;
  clock: Pick<Clock, 'boottime'>;
}

/** Entries of one kind in config.yaml: read, checked, written, removed and restored, by whatever door. */
export interface ConfigEntries {
  /** As it is written; throws where there is none. */
  read(name: string): Promise<Entry>;
  check(name: string, entry: Entry, isNew: boolean): Promise<EntryProblem[]>;
  /** `isNew`: there must be none of that name; else there must be one. */
  set(name: string, entry: Entry, isNew: boolean, by: EditedBy): Promise<{ held: boolean }>;
  /** When the user is asked, in all of these by one write of that key alone; `held`: how many are pending. Throws where one isn't there. */
  setApproval(names: readonly string[], approval: string): Promise<{ held: number }>;
  /** By one write; throws where one isn't there. What it gives back puts them back, for a while. */
  remove(names: readonly string[]): Promise<string>;
  /** `held`: how many are pending then. */
  putBack(undo: string): Promise<{ held: number }>;
}

interface RemovedEntry {
  name: string;
  entry: Entry;
  /** What was approved of it (rule: confirmed-binding); null: nothing was. */
  approved: RemovedApproval | null;
}

interface Removed {
  entries: readonly RemovedEntry[];
  at: number;
}

const undoLimit = 20;
const undoMilliseconds = 15 * 60_000;

export function createConfigEntries(what: EntryKind, deps: ConfigEntriesDeps): ConfigEntries {
  const { config, bindings } = deps;
  const group = groupOf(what);
  const entries = () => entriesOf(config.current(), what);
  const removed = new Map<string, Removed>();
  // Once there is another by that name, the user's approval is for that one: the earlier approval is not restored.
  config.onChange(() => {
    for (const [undo, { entries: gone }] of removed) {
      if (gone.some(({ name }) => entries().has(name))) {
        removed.delete(undo);
      }
    }
  });

  const readAll = (names: readonly string[]): Promise<ReadonlyMap<string, Entry>> => {
    for (const name of names) {
      mustBe(what, name, false, config);
    }
    return config.entries(group, names);
  };
  /** As they are written; throws where one isn't there. */
  const mustRead = async (names: readonly string[]): Promise<ReadonlyMap<string, Entry>> => {
    const written = await readAll(names);
    const gone = names.find((name) => !written.has(name));
    if (gone !== undefined) {
      throw unknownName(what, gone, entries().keys());
    }
    return written;
  };
  const heldOf = (names: readonly string[]) =>
    names.filter((name) => bindings.pending(what, name) !== null).length;

  return {
    async read(name) {
      const entry = (await mustRead([name])).get(name);
      return known(what, entry ?? {});
    },
    async check(name, entry, isNew) {
      const own = [
        ...faultsOf({ what, name, entry, isNew }, config.current()),
        ...(what === 'registry' ? strangersIn(entry) : []),
      ];
      if (own.some(({ severity }) => severity === 'error')) {
        return own;
      }
      // What only the complete file can show: unreadable CAs, and what else the change would break.
      const found = await config.check([{ kind: 'set', what, name, value: entry }]);
      const prefix = `${group}.${name}.`;
      return [
        ...own,
        ...found.flatMap(({ severity, message }): EntryProblem[] => {
          if (!message.startsWith(prefix)) {
            return severity === 'error' ? [{ field: null, message, severity }] : [];
          }
          return [{ ...fieldOf(message.slice(prefix.length)), severity }];
        }),
      ];
    },
    async set(name, entry, isNew, by) {
      mustBe(what, name, isNew, config);
      return editConfig({ kind: 'set', what, name, value: entry }, by, deps);
    },
    async setApproval(names, approval) {
      for (const name of names) {
        mustBe(what, name, false, config);
      }
      const alone = { what, name: names[0] ?? '', entry: { approval }, isNew: false };
      const fault = faultsOf(alone, config.current()).find(({ field }) => field === 'approval');
      if (fault) {
        throw new BrokerError(`${what}.approval`, fault.message, { reason: 'usage' });
      }
      await setKeys((now) => {
        const there = entriesOf(now, what);
        const gone = names.find((name) => !there.has(name));
        if (gone !== undefined) {
          throw unknownName(what, gone, there.keys());
        }
        return names.map((name) => ({ kind: 'setKey', what, name, key: 'approval', value: approval }));
      }, deps);
      return { held: heldOf(names) };
    },
    async remove(names) {
      const written = await readAll(names);
      const entries = names.map(
        (name): RemovedEntry => ({
          name,
          entry: written.get(name) ?? {},
          approved: bindings.approvalOf({ what, name }),
        }),
      );
      await editEntries(
        entries.map(({ name }) => ({ kind: 'remove', what, name })),
        { kind: 'asking' },
        deps,
      );
      const undo = randomUUID();
      removed.set(undo, { entries, at: deps.clock.boottime() });
      for (const [oldest] of removed) {
        if (removed.size > undoLimit) {
          removed.delete(oldest);
        }
      }
      return undo;
    },
    async putBack(undo) {
      const kept = removed.get(undo);
      if (!kept || deps.clock.boottime() - kept.at > undoMilliseconds) {
        throw new BrokerError(`${what}.undoGone`, 'it was removed too long ago to be restored here', {
          reason: 'notFound',
          hint: 'add it again',
        });
      }
      for (const { name } of kept.entries) {
        mustBe(what, name, true, config);
      }
      await editEntries(
        kept.entries.map(({ name, entry }) => ({ kind: 'set', what, name, value: entry })),
        { kind: 'asking' },
        deps,
      );
      removed.delete(undo);
      // An entry that was pending, or whose CA's file has changed since, is pending again.
      const approved = kept.entries.flatMap(({ name, approved }) =>
        approved === null ? [] : [{ what, name, approval: approved }],
      );
      if (approved.length > 0) {
        await bindings.restore(approved);
      }
      return { held: heldOf(kept.entries.map(({ name }) => name)) };
    },
  };
}

/** `servers.0: text` is of the field `servers`, and keeps the rest of its path. */
function fieldOf(message: string): Pick<EntryProblem, 'field' | 'message'> {
  const [, field = null, path = '', text = ''] = /^(\w+)(?:\.(\S+?))?: ([\s\S]*)$/.exec(message) ?? [];
  return field === null ? { field, message } : { field, message: path === '' ? text : `${path}: ${text}` };
}

/** Keys that this Lanyard doesn't know stay in the file, and are none of what is shown. */
function known(what: EntryKind, entry: Entry): Entry {
  const { shape } = configuredKinds[what].schema;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => Object.hasOwn(shape, key)));
}

function faultsOf(
  { what, name, entry, isNew }: { what: EntryKind; name: string; entry: Entry; isNew: boolean },
  current: ReturnType<ConfigStore['current']>,
): EntryProblem[] {
  const error = (field: string | null, message: string): EntryProblem => ({
    field,
    message,
    severity: 'error',
  });
  const named = configName.safeParse(name);
  const parsed = configuredKinds[what].schema.safeParse(entry);
  const { account } = entry;
  return [
    ...(named.success ? [] : [error('name', named.error.issues[0]?.message ?? 'no name')]),
    ...(isNew && entriesOf(current, what).has(name)
      ? [error('name', `there is ${what === 'inventory' ? 'an' : 'a'} ${what} of that name already`)]
      : []),
    ...(parsed.success
      ? []
      : parsed.error.issues.map(({ path: [field, ...rest], message }) =>
          error(
            field === undefined ? null : String(field),
            rest.length === 0 ? message : `${rest.join('.')}: ${message}`,
          ),
        )),
    ...(typeof account === 'string' && account !== '' && !current.accounts.has(account)
      ? [error('account', `there is no account named ${account}`)]
      : []),
  ];
}

/** A credential may go to a registry that anyone made: not an error, but said before it is saved. */
function strangersIn({ matchImages }: Entry): EntryProblem[] {
  const patterns = Array.isArray(matchImages) ? matchImages.map(String).filter(coversStrangers) : [];
  return patterns.map((pattern) => ({
    field: 'matchImages',
    message: `anyone can register a name that ${pattern} covers, and would be sent the credential; name your own registries where you can`,
    severity: 'warning',
  }));
}
