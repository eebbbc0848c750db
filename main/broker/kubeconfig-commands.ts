import { hostname } from 'node:os';
import type { StatusReader } from '../access/status.ts';
import type { Command } from '../doors/cli/command.ts';
import { importCommand } from '../doors/cli/import/import-command.ts';
import { kubeconfigUndoCommand } from '../doors/cli/import/undo-command.ts';
import { contextCommand } from '../doors/cli/kubeconfig/context-command.ts';
import { envCommand } from '../doors/cli/kubeconfig/env-command.ts';
import { kubeconfigWriteCommand } from '../doors/cli/kubeconfig/kubeconfig-command.ts';
import { kubeconfigDismissCommand } from '../doors/cli/kubeconfig/kubeconfig-dismiss-command.ts';
import { createContextReader } from '../kubeconfig/contexts.ts';
import { kubeconfigPaths } from '../kubeconfig/read/kubeconfig-paths.ts';
import { readKubeconfigs } from '../kubeconfig/read/read-kubeconfigs.ts';
import { setCurrentContext } from '../kubeconfig/set-current-context.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';
import { createEditing, createManagedWriter, type Importing, type ImportingParts } from './importing.ts';

/** What the commands about kubeconfigs stand on. */
export interface KubeconfigParts extends ImportingParts, PersonsKubeconfigs {
  directory: Directory;
  gate: Gate;
  status: StatusReader;
  importing: Importing;
}

/** The kubeconfigs of whoever calls. */
export interface PersonsKubeconfigs {
  pathsOf(variables: Readonly<Record<string, string>>, cwd: string): string[];
  contexts: ReturnType<typeof createContextReader>;
}

export function createPersonsKubeconfigs(): PersonsKubeconfigs {
  return {
    pathsOf: (variables, cwd) => kubeconfigPaths(variables, process.platform, cwd),
    contexts: createContextReader(readKubeconfigs),
  };
}

/** The commands about kubeconfigs, by their words. */
export function createKubeconfigCommands(parts: KubeconfigParts): [string, Command][] {
  const { paths, clock, identity, directory, gate, status, kubeconfigState, kubeconfigWatch } = parts;
  const { pathsOf, contexts } = parts;
  const editing = createEditing(parts);
  const writeManaged = createManagedWriter(paths);
  return [
    [
      'context',
      contextCommand({
        pathsOf,
        contexts,
        status,
        kubeconfigState,
        setCurrentContext: (wanted) =>
          setCurrentContext(wanted, { clock, processes: identity, host: hostname() }),
      }),
    ],
    ['env', envCommand({ pathsOf, path: paths.kubeconfig, platform: process.platform })],
    [
      'kubeconfig write',
      kubeconfigWriteCommand({ directory, gate, path: paths.kubeconfig, write: writeManaged }),
    ],
    [
      'kubeconfig import',
      importCommand({
        paths: pathsOf,
        ...parts.importing,
        read: parts.importing.readSource,
        config: paths.config,
      }),
    ],
    ['kubeconfig dismiss', kubeconfigDismissCommand({ watch: kubeconfigWatch })],
    ['kubeconfig undo', kubeconfigUndoCommand(editing)],
  ];
}
