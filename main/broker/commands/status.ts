import { confirmCommand } from '../../doors/cli/approvals/confirm-command.ts';
import type { Command } from '../../doors/cli/command.ts';
import { createKubectlContexts } from '../../doors/cli/kubeconfig/kubectl-contexts.ts';
import { doctorCommand } from '../../doors/cli/status/doctor-command.ts';
import { statusCommand } from '../../doors/cli/status/status-command.ts';
import { completeNamesCommand } from '../../doors/cli/tools/complete-command.ts';
import type { Areas } from '../areas.ts';
import { kubectlContexts } from './kubectl-contexts.ts';

export function statusCommands(areas: Areas): [string, Command][] {
  const { version, paths, clock, keychain, vault, config, history, log } = areas.deps;
  const { bindings, serving, programs, look } = areas.served;
  const { recorder, scraping } = areas.records;
  const { directory } = areas.credentials;
  const { gate, lock } = areas.locking;
  const { pathsOf, contexts } = areas.kubeconfigs;
  const { status, clusters } = areas;
  return [
    [
      'status',
      statusCommand({
        status,
        config: serving,
        inventories: areas.inventoryFigures,
        lock,
        kubectl: createKubectlContexts(kubectlContexts(areas)),
        pathsOf,
        contexts,
      }),
    ],
    [
      'doctor',
      doctorCommand({
        version,
        pid: process.pid,
        paths,
        access: areas.deps.access,
        clock,
        log,
        keychain,
        vault,
        config: serving,
        gate,
        bindings,
        directory,
        history,
        scraping,
        inventories: { ...areas.deps.inventories, profiles: areas.profiles },
        requestProxy: {
          program: areas.deps.proxyProgram,
          socketFolder: areas.deps.paths.proxySockets,
          proxy: areas.requestProxy,
        },
        clusters,
        undone: areas.undone,
      }),
    ],
    [
      'confirm',
      confirmCommand({
        config,
        recorder,
        bindings,
        programs,
        look,
        vault,
        kubectl: createKubectlContexts(kubectlContexts(areas)),
      }),
    ],
    [
      'complete-names',
      completeNamesCommand({ config, inventories: areas.deps.inventories.inventories, pathsOf, contexts }),
    ],
  ];
}
