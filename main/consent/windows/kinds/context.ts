import { isDeepStrictEqual } from 'node:util';
import { lookalikeNote } from '../../../domain/server/new-cluster.ts';
import { plainAddress } from '../../../domain/text/plain-address.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { ContextEntry, Contexts } from '../../../kubeconfig/contexts.ts';
import type { WindowKind } from '../window-kind.ts';

export interface ContextWindowDeps {
  /** Reads the files again where they have changed. */
  contexts(): Promise<Contexts>;
  /** Makes it the current context. Throws BrokerError. */
  use(context: string): Promise<void>;
}

/** Asks before kubectl’s current context changes: a page alone can’t decide where the next command goes. */
export function contextWindow(deps: ContextWindowDeps, wanted: ContextEntry, shown: Contexts): WindowKind {
  const { name, server, namespace, lanyard } = wanted;
  const before = shown.current?.name ?? null;
  const [file = wanted.file] = shown.files;
  return {
    title: 'Set the current context',
    content: {
      heading: `Switch kubectl to ${visibleText(name)}?`,
      text: ['kubectl, helm and other tools use it in each terminal that reads this file.'],
      rows: [
        ['from', before === null ? 'no current context' : visibleText(before)],
        ['to', visibleText(name)],
        ...(server === null ? [['server', 'none'] as const] : serverRows(server)),
        ['namespace', namespace === null ? 'default' : visibleText(namespace)],
        lanyard === null
          ? ['user', `${visibleText(wanted.user)}, without Lanyard`]
          : ['account', visibleText(lanyard.account)],
        ['file', visibleText(file)],
      ],
      yes: 'Switch',
      no: 'Cancel',
    },
    async over() {
      const now = await deps.contexts();
      const entry = now.entries.get(name);
      const isSame =
        now.files[0] === shown.files[0] &&
        (now.current?.name ?? null) === before &&
        entry !== undefined &&
        isDeepStrictEqual(entry, wanted);
      return isSame ? null : 'The kubeconfig has changed meanwhile.';
    },
    async submit() {
      await deps.use(name);
      return {
        kind: 'done',
        good: true,
        heading: `kubectl uses ${visibleText(name)}`,
        text: [
          before === null
            ? 'It is the current context now.'
            : `Back to ${visibleText(before)}: lanyard context -`,
        ],
      };
    },
    refuse: async () => ({
      kind: 'done',
      good: false,
      heading: 'Nothing was changed',
      text: [before === null ? 'There is no current context.' : `kubectl still uses ${visibleText(before)}.`],
    }),
  };
}

/** Without a user and password in front of the host, which could pass for it. */
function serverRows(server: string): (readonly [string, string])[] {
  const address = plainAddress(server);
  const note = lookalikeNote(address);
  return [['server', visibleText(address)], ...(note === null ? [] : [['note', note] as const])];
}
