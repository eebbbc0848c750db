import { resolve } from 'node:path';
import type { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import type { Recorder } from '../../../ports/history.ts';
import type { Admit, Opener, Replaced, VaultControl } from '../../../vault/index.ts';
import { askYes, type Command, type CommandCall, done, parseWords, usageError } from '../command.ts';
import {
  askNewPassphrase,
  askPassphrase,
  askRecoveryKey,
  goodPassphrase,
  passphraseIn,
} from './ask-passphrase.ts';

export interface VaultCommandDeps {
  lock: { close(why: 'command'): Promise<void> };
  vault: Pick<
    VaultControl,
    'state' | 'read' | 'restorePrevious' | 'restoreFrom' | 'exportTo' | 'checkPassphrase' | 'reset'
  >;
  config: { current(): LoadedConfig };
  /** What is pending isn't approved by a restore (rule: confirmed-binding). */
  keepPending: Admit;
  recorder: Pick<Recorder, 'record'>;
  /** What was cached from the vault before must no longer be issued. */
  onReplaced(): void;
}

/**
 * `lanyard vault restore [--from FILE] [--passphrase-file FILE | --recovery-key] [--yes]`. What is restored brings its own
 * approvals; the rest of config.yaml is pending, also where there was no vault before.
 */
export function vaultRestoreCommand(deps: VaultCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('vault restore', call.args, [], {
      from: { type: 'string' },
      'passphrase-file': { type: 'string' },
      'recovery-key': { type: 'boolean' },
      yes: { type: 'boolean' },
    });
    const passphrase = await passphraseIn(call, values['passphrase-file']);
    if (passphrase && values['recovery-key']) {
      throw usageError('vault restore', 'either --passphrase-file or --recovery-key');
    }
    call.terminal.extend(600);
    const from = values.from === undefined ? null : resolve(call.cwd, values.from);
    if (from !== null && !values.yes) {
      await confirmReplacement(call, deps);
    }
    const attempt = (opener: Opener) => restore(deps, from, opener);
    const given: Opener = values['recovery-key']
      ? { recoveryKey: await askRecoveryKey(call) }
      : passphrase
        ? { passphrase }
        : {};
    const first = await attempt(given);
    const hasGiven = given.recoveryKey !== undefined || given.passphrase !== undefined;
    const asks = !first.ok && first.reason === 'locked' && !hasGiven && call.terminal.canPrompt;
    const outcome = asks
      ? await attempt({ passphrase: await askPassphrase(call, from === null ? undefined : 'Its passphrase') })
      : first;
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    if (from !== null) {
      deps.onReplaced();
    }
    deps.recorder.record({ kind: 'change', what: 'vault.restore', name: null });
    const again = 'Log in again where lanyard status asks for it.';
    return outcome.replaced
      ? done(undefined, `Restored from ${from}. ${again}${asideText(outcome.replaced)}`)
      : done(undefined, `Restored the previous generation. ${again}`);
  };
}

type Replacement = Replaced & { ok: true };

async function restore(
  { vault, keepPending }: Pick<VaultCommandDeps, 'vault' | 'keepPending'>,
  from: string | null,
  opener: Opener,
): Promise<{ ok: true; replaced: Replacement | null } | Refusal> {
  const outcome = from === null ? null : await vault.restoreFrom(from, opener, keepPending);
  const done = outcome ?? (await vault.restorePrevious(opener, keepPending));
  return done.ok ? { ok: true, replaced: outcome?.ok ? outcome : null } : done;
}

async function confirmReplacement(call: CommandCall, { vault }: VaultCommandDeps): Promise<void> {
  if (vault.state().kind === 'none' || (await askYes(call, 'Replace the current vault?'))) {
    return;
  }
  throw new BrokerError('vault.kept', 'the present vault was kept', {
    reason: 'denied',
    hint: 'without a terminal, say --yes',
  });
}

/** `lanyard vault export FILE [--passphrase-file FILE]` */
export function vaultExportCommand({ vault, recorder }: VaultCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('vault export', call.args, ['FILE'], {
      'passphrase-file': { type: 'string' },
    });
    const path = resolve(call.cwd, positionals[0] ?? '');
    // Before anything is typed.
    vault.read();
    call.terminal.extend(600);
    const state = vault.state();
    if (state.kind === 'open' && state.slots.includes('passphrase')) {
      const own = await vault.checkPassphrase(await askPassphrase(call, 'The vault’s passphrase', null));
      if (!own.ok) {
        return refusalAnswer(own);
      }
    }
    const fromFile = await passphraseIn(call, values['passphrase-file']);
    const passphrase = fromFile
      ? goodPassphrase(fromFile)
      : await askNewPassphrase(call, 'A passphrase for the export');
    const outcome = await vault.exportTo(path, passphrase);
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    recorder.record({ kind: 'change', what: 'vault.export', name: null });
    return done(
      undefined,
      `Exported to ${path}. Restore it with: lanyard vault restore --from ${shellWord(path)}; then log in again to its accounts.`,
    );
  };
}

/** `lanyard vault reset [--passphrase-file FILE] [--yes]`: for a vault that no one can open. */
export function vaultResetCommand(deps: VaultCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('vault reset', call.args, [], {
      'passphrase-file': { type: 'string' },
      yes: { type: 'boolean' },
    });
    const fromFile = await passphraseIn(call, values['passphrase-file']);
    const newPassphrase = fromFile && goodPassphrase(fromFile);
    call.terminal.extend(900);
    await confirmReset(call, values.yes === true, deps);
    if (deps.vault.state().kind === 'open') {
      await deps.lock.close('command');
    }
    const outcome = await resetWith(call, newPassphrase, deps);
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    deps.onReplaced();
    deps.recorder.record({ kind: 'change', what: 'vault.reset', name: null });
    const names = [...deps.config.current().accounts.keys()].join(', ');
    const next =
      names === ''
        ? ''
        : `\nNext: lanyard confirm, then log in again or set the secrets again of: ${names} (lanyard status says which)`;
    return done(undefined, `Created a new, empty vault.${asideText(outcome)}${next}`);
  };
}

/** The keychain first, as when a vault is first made; a passphrase where that can't be used. */
async function resetWith(call: CommandCall, passphrase: Secret | null, { vault }: VaultCommandDeps) {
  const first = await vault.reset(passphrase ? { passphrase } : {});
  const asks =
    !first.ok && first.code === 'vault.passphrase.needed' && !passphrase && call.terminal.canPrompt;
  return asks
    ? vault.reset({ passphrase: await askNewPassphrase(call, 'A passphrase for the new vault') })
    : first;
}

/** `--yes` replaces the word where nothing is lost that someone could still open. */
async function confirmReset(call: CommandCall, yes: boolean, { vault }: VaultCommandDeps): Promise<void> {
  const isOpen = vault.state().kind === 'open';
  if (vault.state().kind === 'none' || (yes && !isOpen)) {
    return;
  }
  const word = isOpen ? 'reset everything' : 'reset';
  const what = isOpen
    ? `The vault is open: ${heldText(vault)} would be out of reach for Lanyard.`
    : 'All logins and secrets in the vault will be out of reach.';
  const answer = await call.terminal.ask(
    `${what} Its files stay, under other names.\nType ${word} to go on: `,
    {
      echo: true,
    },
  );
  if (answer?.reveal().trim() !== word) {
    throw new BrokerError('vault.kept', 'the vault was kept', {
      reason: call.terminal.canPrompt ? 'denied' : 'notPermitted',
      ...(!call.terminal.canPrompt && {
        hint: isOpen ? 'an open vault is reset at a terminal' : 'without a terminal, say --yes',
      }),
    });
  }
}

function heldText(vault: VaultCommandDeps['vault']): string {
  const { sessions, secrets, backups, registryLogins, dockerConfigs } = vault.read();
  const names = [...new Set([...Object.keys(sessions), ...Object.keys(secrets)])].sort();
  const held = names.length === 0 ? 'what it holds' : `the logins and secrets of ${names.join(', ')}`;
  const servers = Object.keys(registryLogins).sort();
  const files = [...new Set(backups.map(({ file }) => file))];
  const docker = Object.keys(dockerConfigs);
  const parts = [
    held,
    ...(servers.length === 0 ? [] : [`docker’s logins for ${servers.join(', ')}`]),
    ...(files.length === 0 ? [] : [`what lanyard kubeconfig undo would restore of ${files.join(', ')}`]),
    ...(docker.length === 0 ? [] : [`what lanyard docker undo would restore of ${docker.join(', ')}`]),
  ];
  return parts.length === 1 ? held : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}

function asideText({ aside, ways }: Replacement): string {
  const kept = aside.length === 0 ? '' : `\nThe vault before is kept as ${aside.join(' and ')}.`;
  const way = ways.includes('passphrase')
    ? 'the passphrase'
    : 'the keychain; for another way: lanyard passphrase set, lanyard recovery-key create';
  return `${kept}\nIt is opened by ${way}.`;
}
