import { BrokerError } from '../../../contract/broker-error.ts';
import { exitCodes } from '../../../contract/exit-codes.ts';
import type { DockerConfigs } from '../../../installed/docker/docker-configs.ts';
import type { Leaving } from '../../../installed/leave-home.ts';
import type { Ledger } from '../../../installed/ledger.ts';
import { inOrder } from '../../../installed/remove-entry.ts';
import { managerVariables, type ServiceManager } from '../../../installed/service/manager.ts';
import { forgetService } from '../../../installed/service/service.ts';
import { type Uninstalled, uninstall, type VaultRemoval } from '../../../installed/uninstall.ts';
import { planUninstall, type UninstallPlan } from '../../../installed/uninstall-plan.ts';
import type { UserContexts } from '../../../kubeconfig/user-contexts/user-contexts.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import type { Recorder } from '../../../ports/history.ts';
import type { UndoKubeconfigs } from '../../../ports/undo-kubeconfigs.ts';
import type { Vault } from '../../../ports/vault.ts';
import { refusalOf } from '../../../vault/index.ts';
import { askYes, type Command, type CommandCall, json, parseWords, usageError } from '../command.ts';
import { closingText, planText, type UninstallPlaces } from './uninstall-text.ts';

export interface UninstallCommandDeps {
  ledger: Ledger;
  userContexts: Pick<UserContexts, 'files' | 'takeOut'>;
  kubeconfigs: UndoKubeconfigs;
  docker: Pick<DockerConfigs, 'list' | 'undo'>;
  vault: Pick<Vault, 'state'> & VaultRemoval;
  managed: string;
  places: UninstallPlaces;
  manager(environment: Readonly<Record<string, string>>): ServiceManager;
  recorder: Pick<Recorder, 'record'>;
  now(): number;
  /** Nothing is put outside the home while this runs. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the broker when the caller has its answer; `leaving` goes as it ends. */
  stop(leaving: Leaving, call: CommandCall): void;
}

/** `lanyard uninstall [--dry-run [--json]] [--yes] [--with-vault] [--with-config]` */
export function uninstallCommand(deps: UninstallCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('uninstall', call.args, [], {
      'dry-run': { type: 'boolean' },
      json: { type: 'boolean' },
      yes: { type: 'boolean' },
      'with-vault': { type: 'boolean' },
      'with-config': { type: 'boolean' },
    });
    if (values.json && !values['dry-run']) {
      throw usageError('uninstall', '--json goes with --dry-run');
    }
    const what = { withVault: values['with-vault'] === true, withConfig: values['with-config'] === true };
    const look = () => {
      mustBeOpen(deps.vault);
      return planUninstall(what, { ...deps, home: deps.places.home });
    };
    const plan = await look();
    if (values['dry-run']) {
      return { code: exitCodes.good, stdout: values.json ? `${json(plan)}\n` : planText(plan, deps.places) };
    }
    call.terminal.print(planText(plan, deps.places));
    call.terminal.extend(3600);
    if (!values.yes) {
      await confirm(call, plan);
      // The user was thinking meanwhile: only what was shown is done.
      if (json(await look()) !== json(plan)) {
        throw new BrokerError('uninstall.changed', 'something has changed meanwhile, and nothing was done', {
          reason: 'denied',
          hint: 'look again: lanyard uninstall',
        });
      }
    }
    return carryOut(call, plan, deps);
  };
}

/** What lies in a vault that isn't open can't be told: kubeconfigs as they were, perhaps. */
function mustBeOpen(vault: Pick<Vault, 'state'>): void {
  const state = vault.state();
  if (state.kind === 'open' || state.kind === 'none') {
    return;
  }
  const { reason, hint } = refusalOf(state);
  throw new BrokerError('uninstall.locked', 'the vault has to be open: files as they were may be in it', {
    reason,
    hint:
      state.kind === 'locked' ? 'lanyard unlock; if you can’t any more: lanyard vault reset' : (hint ?? ''),
  });
}

async function confirm(call: CommandCall, { withVault }: UninstallPlan): Promise<void> {
  if (!call.terminal.canPrompt) {
    throw new BrokerError('uninstall.noTerminal', 'nothing was done: there is no terminal to ask', {
      reason: 'notPermitted',
      hint: 'lanyard uninstall --yes; to look first: lanyard uninstall --dry-run',
    });
  }
  const said = withVault ? await askWord(call) : await askYes(call, 'Uninstall Lanyard?');
  if (!said) {
    throw new BrokerError('uninstall.denied', 'nothing was done', { reason: 'denied' });
  }
}

/** A vault that is gone can't be had back: a `y` too many isn't enough. */
async function askWord(call: CommandCall): Promise<boolean> {
  const word = 'remove everything';
  const question = `All logins and secrets go for good.\nType ${word} to go on: `;
  return (await call.terminal.ask(question, { echo: true }))?.reveal().trim() === word;
}

async function carryOut(
  call: CommandCall,
  plan: UninstallPlan,
  deps: UninstallCommandDeps,
): Promise<DoorAnswer> {
  const environment = (await call.terminal.environment(managerVariables)) ?? {};
  deps.recorder.record({ kind: 'change', what: 'uninstall', name: null });
  const done = await deps.alone(() =>
    uninstall(plan, {
      ...deps,
      forgetService: () =>
        forgetService({ platform: deps.places.platform, manager: deps.manager(environment) }),
      say: (line) => call.terminal.print(`${line}\n`),
      signal: call.signal,
      mayUndoChanged: (file) => mayUndoChanged(call, file, deps.kubeconfigs),
    }),
  );
  const isClear = done.stillNamed.length === 0;
  const { aside } = done;
  const others = (await deps.ledger.entries()).filter(({ path }) => !aside.includes(path));
  const list = others.every(
    ({ kind, path }) => kind === 'folder' && aside.some((each) => each.startsWith(path)),
  );
  const folders = list ? inOrder(others).map(({ path }) => path) : [];
  const config = plan.withConfig && isClear;
  deps.stop({ helper: isClear, vault: done.vaultRemoved, config, aside, folders, list }, call);
  return { code: codeOf(done, call), stderr: `${closingText(done, plan, deps.places)}\n` };
}

async function mayUndoChanged(
  call: CommandCall,
  file: string,
  kubeconfigs: UndoKubeconfigs,
): Promise<boolean> {
  if (!call.terminal.canPrompt) {
    return false;
  }
  call.terminal.print(
    `${file} was changed since Lanyard edited it. Putting it back makes this difference:\n`,
  );
  call.terminal.print(`${await kubeconfigs.difference(file)}\n`);
  return askYes(call, 'Restore it anyway?');
}

function codeOf({ failed, stillNamed }: Uninstalled, call: CommandCall): DoorAnswer['code'] {
  if (failed.length > 0) {
    return exitCodes.internal;
  }
  if (stillNamed.length > 0) {
    return call.terminal.canPrompt ? exitCodes.denied : exitCodes.notPermitted;
  }
  return exitCodes.good;
}
