import { BrokerError } from '../../../contract/broker-error.ts';
import type { LoadedCluster } from '../../../domain/loaded-config.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { TerminalProgram } from '../../../ports/terminal-windows.ts';
import type { WindowKind } from '../window-kind.ts';

export interface OpenTerminalDeps {
  /** As it is served now; undefined: there is none. */
  cluster(name: string): LoadedCluster | undefined;
  /** The one of config.yaml; undefined: the system’s. */
  program(): TerminalProgram | undefined;
  /** False: none could be opened. Throws BrokerError. */
  open(cluster: LoadedCluster, heading: string, program: TerminalProgram | undefined): Promise<boolean>;
  /** Of the cluster’s context in the user’s kubeconfigs, as they are now; null: none. */
  namespace(cluster: LoadedCluster): Promise<string | null>;
}

/** Asks before a terminal opens whose kubectl goes to this cluster: a page could name another than the user clicked. */
export function openTerminalWindow(
  deps: OpenTerminalDeps,
  { name, config }: LoadedCluster,
  namespace: string | null,
): WindowKind {
  const program = deps.program();
  const shown = visibleText(name);
  return {
    title: 'Open a terminal',
    content: {
      heading: `Open a terminal for ${shown}?`,
      text: ['kubectl uses this cluster there. Your other terminals stay as they are.'],
      rows: [
        ['cluster', shown],
        ['server', visibleText(config.server)],
        ['namespace', namespace === null ? 'default' : visibleText(namespace)],
        ['account', visibleText(config.account)],
        ...(program ? [['program', visibleText(program.join(' '))] as const] : []),
      ],
      yes: 'Open',
      no: 'Cancel',
    },
    async over() {
      const cluster = deps.cluster(name);
      const isSame =
        cluster?.config.server === config.server &&
        cluster.config.account === config.account &&
        (await deps.namespace(cluster)) === namespace &&
        deps.program()?.join('\0') === program?.join('\0');
      return isSame ? null : 'The cluster or the terminal’s setting has changed meanwhile.';
    },
    async submit() {
      const cluster = deps.cluster(name);
      const heading = `kubectl uses ${shown} (${visibleText(config.server)}) in this terminal.`;
      if (!cluster || !(await deps.open(cluster, heading, program))) {
        throw new BrokerError('terminal.none', 'no terminal could be opened', {
          reason: 'usage',
          hint: program
            ? `look at terminal.command in config.yaml: ${visibleText(program[0])} could not be started`
            : 'name yours in config.yaml, such as: terminal: {command: [gnome-terminal, --]}',
        });
      }
      return {
        kind: 'done',
        good: true,
        heading: 'Terminal opened',
        text: [`kubectl uses ${shown} there. Your other terminals stay as they are.`],
      };
    },
    refuse: async () => ({
      kind: 'done',
      good: false,
      heading: 'No terminal was opened',
      text: ['Nothing was changed.'],
    }),
  };
}
