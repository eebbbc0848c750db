import { innerKeys, type KubeconfigChange, type ListChange } from './change.ts';
import { authenticationKeys } from './user-keys.ts';

type Values = Record<string, unknown>;

/** What the file is to say after the changes, by what it says now: all else is the same. */
export function expectedValue(before: unknown, changes: readonly KubeconfigChange[]): Values {
  const root: Values = { ...(before as Values | null) };
  const users = namedEntries(root['users']);
  const contexts = namedEntries(root['contexts']);
  for (const change of changes) {
    switch (change.kind) {
      case 'setUserExec':
        users.change(change.user, (entry) => ({ ...entry, user: withExec(entry['user'], change.exec) }));
        break;
      case 'addUser':
        users.addAfter(change.after, (entry) => ({
          name: change.user,
          user: withExec(entry['user'], change.exec),
        }));
        break;
      case 'setContextUser':
        contexts.change(change.context, (entry) => ({
          ...entry,
          context: { ...(entry['context'] as Values | null), user: change.user },
        }));
        break;
      case 'setCurrentContext':
        root['current-context'] = change.context;
        break;
      case 'changeList':
        root[change.list] = changedList(root[change.list], change);
    }
  }
  return {
    ...root,
    ...(users.touched() && { users: users.all() }),
    ...(contexts.touched() && { contexts: contexts.all() }),
  };
}

function changedList(list: unknown, { list: name, remove, set, add }: ListChange): Values[] {
  const inner = innerKeys[name];
  const value = (each: object) => JSON.parse(JSON.stringify(each)) as Values;
  const kept = ((list ?? []) as Values[]).filter((entry) => !remove.has(String(entry['name'])));
  return [
    ...kept.map((entry) => {
      const changed = set.get(String(entry['name']));
      return changed ? { ...entry, [inner]: value(changed) } : entry;
    }),
    ...[...add].map(([entry, each]) => ({ name: entry, [inner]: value(each) })),
  ];
}

function withExec(user: unknown, exec: object): Values {
  const kept = Object.entries((user as Values | null | undefined) ?? {}).filter(
    ([key]) => !authenticationKeys.has(key),
  );
  return { ...Object.fromEntries(kept), exec: JSON.parse(JSON.stringify(exec)) };
}

function namedEntries(list: unknown) {
  const all = (Array.isArray(list) ? list : []) as (Values | null)[];
  const byName = new Map<string, { entry: Values; added: Values[] }>();
  const slots = all.map((entry) => {
    const slot = { entry: entry as Values, added: [] as Values[] };
    const name = entry?.['name'];
    byName.set(typeof name === 'string' ? name : '', slot);
    return slot;
  });
  let touched = false;
  const slotOf = (name: string) => {
    touched = true;
    const slot = byName.get(name);
    if (!slot) {
      throw new Error('an entry that was found by its name is there');
    }
    return slot;
  };
  return {
    touched: () => touched,
    change: (name: string, apply: (entry: Values) => Values) => {
      const slot = slotOf(name);
      slot.entry = apply(slot.entry);
    },
    addAfter: (name: string, make: (entry: Values) => Values) => {
      const slot = slotOf(name);
      slot.added.push(make(slot.entry));
    },
    all: () => slots.flatMap(({ entry, added }) => [entry, ...added]),
  };
}
