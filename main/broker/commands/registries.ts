import { dirname } from 'node:path';
import type { Command } from '../../doors/cli/command.ts';
import { imageWhyCommand } from '../../doors/cli/images/image-commands.ts';
import { imageConfigCommand } from '../../doors/cli/images/image-config-command.ts';
import { imageGetCommand } from '../../doors/cli/images/image-get-command.ts';
import {
  registryAddCommand,
  registryListCommand,
  registryRemoveCommand,
} from '../../doors/cli/registries/registry-commands.ts';
import type { Areas } from '../areas.ts';

export function registryCommands(areas: Areas): [string, Command][] {
  const { deps, served, records, credentials, consent, locking, status } = areas;
  const { config, vault, clock } = deps;
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
  return [
    ['registry add', registryAddCommand(edits)],
    ['registry list', registryListCommand(edits)],
    ['registry remove', registryRemoveCommand(edits)],
    ['image why', imageWhyCommand({ directory })],
    ['image get', imageGetCommand(issuing)],
    ['image config', imageConfigCommand({ directory, binFolder: dirname(deps.paths.helper) })],
  ];
}
