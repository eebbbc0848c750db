import { hostname } from 'node:os';
import type { Bindings } from './bindings.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Command } from './doors/cli/command.ts';
import { contextCommand } from './doors/cli/context-command.ts';
import { envCommand } from './doors/cli/env-command.ts';
import { importCommand } from './doors/cli/import-command.ts';
import { kubeconfigWriteCommand } from './doors/cli/kubeconfig-command.ts';
import { kubeconfigDismissCommand } from './doors/cli/kubeconfig-dismiss-command.ts';
import { kubeconfigUndoCommand } from './doors/cli/undo-command.ts';
import { createContextReader } from './kubeconfig/contexts.ts';
import { createImporter } from './kubeconfig/import/importer.ts';
import { readSource } from './kubeconfig/import/read-source.ts';
import { createReplaceFile, readText } from './kubeconfig/import/replace-file.ts';
import { kubeconfigPaths } from './kubeconfig/read/kubeconfig-paths.ts';
import { readKubeconfigs } from './kubeconfig/read/read-kubeconfigs.ts';
import { setCurrentContext } from './kubeconfig/set-current-context.ts';
import type { KubeconfigWatch } from './kubeconfig/watch/kubeconfig-watch.ts';
import type { KubeconfigStateFile } from './kubeconfig/watch/state-file.ts';
import {
  type WriteManagedKubeconfig,
  writeManagedKubeconfig,
} from './kubeconfig/write-managed-kubeconfig.ts';
import { findKubectl } from './kubernetes/find-kubectl.ts';
import type { Directory, Gate } from './ports/broker-core.ts';
import type { Recorder } from './ports/history.ts';
import type { StatusReader } from './status.ts';

/** What the commands about kubeconfigs stand on. */
export interface KubeconfigParts
  extends Pick<BrokerDeps, 'paths' | 'config' | 'vault' | 'clock' | 'identity'>,
    PersonsKubeconfigs {
  bindings: Bindings;
  recorder: Recorder;
  directory: Directory;
  gate: Gate;
  status: StatusReader;
  kubeconfigState: KubeconfigStateFile;
  kubeconfigWatch: KubeconfigWatch;
  /** Drops what was made of an account's old secrets. */
  forget(account: string): void;
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

/** What edits files of the person's, and keeps them in the vault. */
export function createEditing(
  parts: Pick<KubeconfigParts, 'config' | 'bindings' | 'vault' | 'recorder' | 'clock' | 'identity'>,
) {
  const { config, bindings, vault, recorder, clock, identity } = parts;
  const replace = createReplaceFile({ clock, processes: identity, host: hostname() });
  return { config, bindings, vault, recorder, clock, read: readText, replace };
}

/** The commands about kubeconfigs, by their words. */
export function createKubeconfigCommands(parts: KubeconfigParts): [string, Command][] {
  const { paths, config, clock, identity, directory, gate, status, kubeconfigState, kubeconfigWatch } = parts;
  const { pathsOf, contexts } = parts;
  const editing = createEditing(parts);
  const writeManaged: WriteManagedKubeconfig = (clusters, apiVersion, first) =>
    writeManagedKubeconfig({
      path: paths.kubeconfig,
      clusters,
      apiVersion,
      first,
      helperPath: paths.helper,
      home: paths.homeVariable,
    });
  return [
    [
      'context',
      contextCommand({
        pathsOf,
        contexts,
        status,
        state: kubeconfigState,
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
        read: readSource,
        apiVersion: async (path) => (((await findKubectl(path ?? ''))?.knowsV1 ?? true) ? 'v1' : 'v1beta1'),
        ...createImporter({
          ...editing,
          imported: () => kubeconfigState.current().imported,
          onSecrets: parts.forget,
          helperPath: paths.helper,
          home: paths.homeVariable,
        }),
        hasManaged: async () => (await readText(paths.kubeconfig)) !== null,
        writeManaged: (apiVersion, first) =>
          writeManaged([...config.current().clusters.values()], apiVersion, first),
        markSeen: (merged, plan) => kubeconfigWatch.markSeen(merged, plan),
        managed: paths.kubeconfig,
        config: paths.config,
      }),
    ],
    ['kubeconfig dismiss', kubeconfigDismissCommand({ watch: kubeconfigWatch })],
    ['kubeconfig undo', kubeconfigUndoCommand(editing)],
  ];
}
