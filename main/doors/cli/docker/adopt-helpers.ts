import { BrokerError } from '../../../contract/broker-error.ts';
import { credentialHelperAccount } from '../../../contract/config/accounts/image-plugins.ts';
import { dockerHelperPrefix } from '../../../contract/program-names.ts';
import { pluginSearchPath } from '../../../domain/program/plugin-search-path.ts';
import { helperProgram } from '../../../domain/program/program-of.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { DockerPlan } from '../../../installed/docker/plan-docker.ts';
import type { InspectPlugin } from '../../../platform/programs/inspect-plugin.ts';
import type { Directory } from '../../../ports/broker-core.ts';
import { saveCredentialHelper } from '../accounts/account-add-helper.ts';
import { callerEnvironment } from '../caller-environment.ts';
import type { CommandCall } from '../command.ts';
import { type EditDeps, editConfig } from '../edit-config.ts';

export interface AdoptDeps extends EditDeps {
  look: InspectPlugin;
  directory: Pick<Directory, 'fallbackHelper' | 'account'>;
}

/**
 * Before docker’s file stops naming another helper, Lanyard asks it: the store becomes the account with `fallback`, a
 * registry’s helper an account with that registry. You approve each program at the terminal. Throws BrokerError where
 * that can’t be, with the file unchanged. `dryRun`: only throws; no terminal is needed.
 */
export async function adoptHelpers(
  call: CommandCall,
  file: string,
  { wraps, adopts }: DockerPlan,
  { dryRun }: { dryRun: boolean },
  deps: AdoptDeps,
): Promise<void> {
  if (wraps !== null) {
    await adoptStore(call, file, wraps, dryRun, deps);
  }
  for (const { registry, helper } of adopts) {
    const host = registry.server.key;
    const shown = visibleText(helper, 200);
    const from: NamedBy = {
      names: `it names the helper ${shown} for ${host}`,
      key: `${registry.key} from its credHelpers`,
      command: `lanyard docker install --registry ${shellWord(host)}`,
    };
    await mustBeAskable(call, file, helper, from, dryRun, deps);
    if (dryRun) {
      continue;
    }
    call.terminal.print(
      `lanyard: its logins stay with the helper ${shown}: Lanyard asks ${dockerHelperPrefix}${shown} for ${host}\n`,
    );
    const account = accountOf(helper, deps) ?? (await addAccount(call, helper, false, deps));
    const name = freeName(host.replace(/[[\]]/g, ''), deps.config.current().registries);
    const value = { matchImages: [host], account };
    await editConfig(call, { kind: 'set', what: 'registry', name, value }, deps);
  }
}

/** A registry has one account, and one store is the fallback. Throws BrokerError where files name different ones. */
export function mustNameOneHelper(files: readonly { file: string; plan: DockerPlan }[]): void {
  const helpers = new Map<string, string>();
  for (const { file, plan } of files) {
    const named = plan.adopts.map(({ registry, helper }) => ({
      helper,
      names: `the helper ${visibleText(helper, 200)} for ${registry.server.key}`,
      of: registry.key,
    }));
    const store =
      plan.wraps === null
        ? []
        : [{ helper: plan.wraps, names: `the store ${visibleText(plan.wraps, 200)}`, of: '' }];
    for (const { helper, names, of } of [...store, ...named]) {
      const first = helpers.get(of) ?? helper;
      helpers.set(of, first);
      if (first !== helper) {
        throw notDone(
          file,
          `it names ${names}, and docker’s config.json ${visibleText(first, 200)}`,
          'have both name one helper, or leave out --helm',
        );
      }
    }
  }
}

async function adoptStore(
  call: CommandCall,
  file: string,
  helper: string,
  dryRun: boolean,
  deps: AdoptDeps,
): Promise<void> {
  const active = deps.directory.fallbackHelper();
  if (active?.helper === helper && deps.directory.account(active.account).ok) {
    return;
  }
  const accounts = [...deps.config.current().accounts.values()];
  const taken = accounts.find(
    ({ config }) => 'credentialHelper' in config && config.credentialHelper.fallback,
  );
  if (taken && 'credentialHelper' in taken.config) {
    const other = taken.config.credentialHelper.helper;
    throw other === helper
      ? notDone(file, `the account ${taken.name} is pending approval`, `lanyard confirm ${taken.name}`)
      : notDone(
          file,
          `it names the store ${visibleText(helper, 200)}, and Lanyard asks ${other} already, which is the fallback`,
          `log in again with the logins of ${visibleText(helper, 200)}, after removing credsStore from the file; or: lanyard account remove ${taken.name}`,
        );
  }
  const shown = visibleText(helper, 200);
  const from: NamedBy = {
    names: `it names the store ${shown}`,
    key: 'credsStore from it',
    command: 'lanyard docker install',
  };
  await mustBeAskable(call, file, helper, from, dryRun, deps);
  if (dryRun) {
    return;
  }
  call.terminal.print(
    `lanyard: its logins stay in the store ${shown}: Lanyard asks ${dockerHelperPrefix}${shown} where it has none\n`,
  );
  await addAccount(call, helper, true, deps);
}

/** What names the helper in docker’s file: in words, what to take out of it, and the command that adopts the helper. */
interface NamedBy {
  names: string;
  key: string;
  command: string;
}

/** The helper has a name that is one, a program, and a terminal on which it is approved. */
async function mustBeAskable(
  call: CommandCall,
  file: string,
  helper: string,
  { names, key, command }: NamedBy,
  dryRun: boolean,
  { look }: AdoptDeps,
): Promise<void> {
  const shown = visibleText(helper, 200);
  const parsed = credentialHelperAccount.safeParse({ helper });
  if (!parsed.success) {
    throw notDone(file, `${names}, which is no helper’s name`, 'correct the file');
  }
  const { PATH } = await callerEnvironment(call, ['PATH']);
  const program = helperProgram({ helper, searchPath: pluginSearchPath({ searchPath: PATH }) });
  if ((await look(program)).kind !== 'program') {
    throw notDone(
      file,
      `${names}, and ${dockerHelperPrefix}${shown} is not on your PATH`,
      `install that helper, or remove ${key}: docker can’t run it now, either`,
    );
  }
  if (!dryRun && !call.terminal.canPrompt) {
    throw notDone(
      file,
      `${names}, whose logins docker would no longer find unless Lanyard asks ${dockerHelperPrefix}${shown}`,
      `approve that on a terminal: ${command}`,
    );
  }
}

async function addAccount(
  call: CommandCall,
  helper: string,
  fallback: boolean,
  deps: AdoptDeps,
): Promise<string> {
  const name = freeName(helper, deps.config.current().accounts);
  await saveCredentialHelper(call, name, { helper, ...(fallback && { fallback }) }, deps);
  return name;
}

/** An account that asks this helper already; null: none. */
function accountOf(helper: string, { config }: AdoptDeps): string | null {
  const found = [...config.current().accounts.values()].find(
    (account) => 'credentialHelper' in account.config && account.config.credentialHelper.helper === helper,
  );
  return found?.name ?? null;
}

/** Names in config.yaml begin with a letter or a digit. */
function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const name = wanted.replace(/^[^A-Za-z0-9]+/, '').slice(0, 100) || 'store';
  let free = name;
  for (let count = 2; taken.has(free); count += 1) {
    free = `${name}-${count}`;
  }
  return free;
}

function notDone(file: string, why: string, hint: string): BrokerError {
  return new BrokerError('docker.otherStore', `${visibleText(file)} is unchanged: ${why}`, {
    reason: 'notPermitted',
    hint,
  });
}
