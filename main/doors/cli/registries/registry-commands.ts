import type { StatusReader } from '../../../access/status.ts';
import { mustBe } from '../../../operations/entry-name.ts';
import { type Command, done, json, parseWords, usageError } from '../command.ts';
import { addedAnswer, type EditDeps, editConfig, given } from '../edit-config.ts';
import { registriesTable } from '../status/registries-table.ts';
import { columnsOf } from '../table.ts';

export interface RegistryCommandDeps extends EditDeps {
  status: StatusReader;
}

/** `lanyard registry add NAME --match-image PATTERN … --account ACCOUNT` */
export function registryAddCommand(deps: RegistryCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('registry add', call.args, ['NAME'], {
      'match-image': { type: 'string', multiple: true },
      account: { type: 'string' },
      'user-name': { type: 'string' },
      audience: { type: 'string' },
      approval: { type: 'string' },
      'cache-duration': { type: 'string' },
      'called-as': { type: 'string' },
      'token-server': { type: 'string', multiple: true },
    });
    const name = positionals[0] ?? '';
    if (!values['match-image'] || values.account === undefined) {
      throw usageError('registry add', 'it needs --match-image and --account');
    }
    mustBe('registry', name, true, deps.config);
    const value = given({
      matchImages: values['match-image'],
      account: values.account,
      userName: values['user-name'],
      audience: values.audience,
      approval: values.approval,
      cacheDuration: values['cache-duration'],
      calledAs: values['called-as'],
      tokenServers: values['token-server'],
    });
    const saved = await editConfig(call, { kind: 'set', what: 'registry', name, value }, deps);
    return addedAnswer(`registry ${name}`, 'lanyard image why IMAGE', saved);
  };
}

/** `lanyard registry list [--wide] [--json]` */
export function registryListCommand(deps: RegistryCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('registry list', call.args, [], {
      wide: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const { registries } = await deps.status.read();
    if (values.json) {
      return done(json(registries));
    }
    return registries.length === 0
      ? done(undefined, 'No registries yet. To add one, see: lanyard help registry add')
      : done(registriesTable(registries, columnsOf(call.terminal, values.wide)));
  };
}

/** `lanyard registry remove REGISTRY` */
export function registryRemoveCommand(deps: RegistryCommandDeps): Command {
  return async (call) => {
    const { positionals } = parseWords('registry remove', call.args, ['REGISTRY'], {});
    const name = positionals[0] ?? '';
    mustBe('registry', name, false, deps.config);
    await editConfig(call, { kind: 'remove', what: 'registry', name }, deps);
    return done(undefined, `Removed the registry ${name}.`);
  };
}
