import type { KubeconfigChange } from '../../main/kubeconfig/edit/change.ts';
import { hardExec } from './kubeconfig-layouts.ts';

const exec = hardExec;

/** Changes of the users and contexts that each of `kubeconfigLayouts` has, with names that YAML may misread. */
export const kubeconfigChanges: Readonly<Record<string, readonly KubeconfigChange[]>> = {
  'a user': [{ kind: 'setUserExec', user: 'alice', exec }],
  'both users': [
    { kind: 'setUserExec', user: 'bob', exec },
    { kind: 'setUserExec', user: 'alice', exec },
  ],
  'a new user': [{ kind: 'addUser', user: 'alice@yes', after: 'alice', exec }],
  'new users after one that changes': [
    { kind: 'addUser', user: 'on', after: 'bob', exec },
    { kind: 'setUserExec', user: 'bob', exec },
    { kind: 'addUser', user: 'ä/ö ü', after: 'bob', exec },
  ],
  'a context': [{ kind: 'setContextUser', context: 'work', user: 'no' }],
  'both contexts': [
    { kind: 'setContextUser', context: 'home', user: "it's" },
    { kind: 'setContextUser', context: 'work', user: 'a:b' },
  ],
  'the current context': [{ kind: 'setCurrentContext', context: '~' }],
  'all of it': [
    { kind: 'setUserExec', user: 'alice', exec },
    { kind: 'setUserExec', user: 'bob', exec },
    { kind: 'addUser', user: 'on', after: 'alice', exec },
    { kind: 'addUser', user: 'ä/ö ü', after: 'bob', exec },
    { kind: 'setContextUser', context: 'home', user: "it's" },
    { kind: 'setContextUser', context: 'work', user: 'no' },
    { kind: 'setCurrentContext', context: '~' },
  ],
};

interface Config {
  users: { name: string; user?: Record<string, unknown> | null }[];
  contexts: { name: string; context: Record<string, unknown> }[];
  'current-context'?: string;
}

const authentication =
  'token tokenFile client-certificate client-certificate-data client-key client-key-data username password auth-provider exec';

/** What a kubeconfig, as plain values, is to say after the changes. `read`: the exec as its reader shows it. */
export function changedValue(
  before: unknown,
  changes: readonly KubeconfigChange[],
  read: object = exec,
): Config {
  const config = structuredClone(before) as Config;
  const withExec = (user: Record<string, unknown> | null | undefined) => {
    const kept = { ...user };
    for (const key of authentication.split(' ')) {
      delete kept[key];
    }
    return { ...kept, exec: structuredClone(read) };
  };
  for (const change of changes) {
    if (change.kind === 'setCurrentContext') {
      config['current-context'] = change.context;
    } else if (change.kind === 'setContextUser') {
      const found = config.contexts.find(({ name }) => name === change.context);
      Object.assign(found?.context ?? {}, { user: change.user });
    } else if (change.kind === 'setUserExec') {
      const found = config.users.find(({ name }) => name === change.user);
      Object.assign(found ?? {}, { user: withExec(found?.user) });
    } else if (change.kind === 'addUser') {
      const neighbour = config.users.find(({ name }) => name === change.after);
      config.users.push({ name: change.user, user: withExec(neighbour?.user) });
    }
  }
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  config.users.sort(byName);
  config.contexts.sort(byName);
  return config;
}
