import { dirname } from 'node:path';
import { homeVariables } from '../../domain/paths.ts';
import type { Command } from '../../doors/cli/command.ts';
import {
  dockerInstallCommand,
  dockerStatusCommand,
  dockerUndoCommand,
} from '../../doors/cli/docker/docker-commands.ts';
import { imageWhyCommand } from '../../doors/cli/images/image-commands.ts';
import { imageConfigCommand } from '../../doors/cli/images/image-config-command.ts';
import { imageGetCommand } from '../../doors/cli/images/image-get-command.ts';
import {
  registryAddCommand,
  registryListCommand,
  registryRemoveCommand,
} from '../../doors/cli/registries/registry-commands.ts';
import {
  registryImportCommand,
  registryUndoCommand,
} from '../../doors/cli/registries/registry-import-command.ts';
import { registryTestCommand } from '../../doors/cli/registries/registry-test-command.ts';
import { placeProvider } from '../../installed/provider-links.ts';
import { findProviders } from '../../operations/import-providers/find.ts';
import { findProgram } from '../../platform/programs/find-program.ts';
import { createPathInspector } from '../../platform/programs/inspect-plugin.ts';
import { type Areas, forgetWithAnswers } from '../areas.ts';

export function registryCommands(areas: Areas): [string, Command][] {
  const { deps, served, records, credentials, consent, locking, status } = areas;
  const { config, vault, clock } = deps;
  const { helper } = deps.paths;
  const { recorder } = records;
  const { directory, grants } = credentials;
  const edits = { status, config, bindings: served.bindings, vault, recorder };
  const issuing = {
    directory,
    grants,
    recorder,
    clock,
    approvals: consent.approvals,
    gate: locking.gate,
  };
  const docker = {
    ...edits,
    look: served.look,
    directory,
    docker: areas.docker,
    ledger: deps.ledger,
    now: () => clock.now(),
    gate: locking.gate,
    findProgram,
  };
  const imports = {
    ...edits,
    gate: locking.gate,
    docker: areas.docker,
    inspect: createPathInspector(),
    find: (home: string) => findProviders(home),
    apply: areas.kubeconfigs.importing.apply,
    refusal: areas.kubeconfigs.importing.refusal,
    onRemoved: (account: string) => forgetWithAnswers(areas, account),
  };
  return [
    ['registry add', registryAddCommand(edits)],
    ['registry list', registryListCommand(edits)],
    ['registry remove', registryRemoveCommand(edits)],
    ['registry import', registryImportCommand(imports)],
    ['registry undo', registryUndoCommand(imports)],
    ['registry test', registryTestCommand({ ...issuing, askRegistry: areas.askRegistry })],
    ['docker install', dockerInstallCommand(docker)],
    ['docker status', dockerStatusCommand(docker)],
    ['docker undo', dockerUndoCommand(docker)],
    ['image why', imageWhyCommand({ directory })],
    ['image get', imageGetCommand(issuing)],
    [
      'image config',
      imageConfigCommand({
        config: served.serving,
        binFolder: dirname(helper),
        variables: homeVariables(deps.environment, process.platform),
        placeProvider: (name) => placeProvider(helper, name),
      }),
    ],
  ];
}
