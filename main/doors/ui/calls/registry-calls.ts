import { refusalError } from '../../../contract/broker-error.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import type { ClusterEntry } from '../../../contract/ui/calls/cluster-editing.ts';
import type { PendingChange } from '../../../domain/approval/binding.ts';
import { registryName, registryTarget } from '../../../domain/target/registry-target.ts';
import type { Target } from '../../../domain/target/target.ts';
import type { ConfigEntries } from '../../../operations/config-entries.ts';
import { imageWhy } from '../../../operations/image-why.ts';
import { readLastCalls } from '../../../operations/last-calls.ts';
import type { Account, Obtained } from '../../../ports/account.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import type { HistoryReader } from '../../../ports/history-reader.ts';
import type { Vault } from '../../../ports/vault.ts';
import { passwordOf } from '../../registry-password.ts';
import type { UiHandlers } from '../handlers.ts';
import { mustHaveVault } from './vault-made.ts';

export interface RegistryCallsDeps {
  directory: Pick<Directory, 'account' | 'registry' | 'registries' | 'registryPatterns'>;
  gate: Gate;
  /** Begins no login and runs no plugin. */
  peek(account: Account, target: Target, signal: AbortSignal): Promise<Obtained>;
  history: { reader: Pick<HistoryReader, 'events'> };
  entries: ConfigEntries;
  config: { file: string };
  /** Throws while the vault isn’t open. */
  bindings: { pending(what: 'registry', name: string): PendingChange | null };
  vault: Pick<Vault, 'state'>;
}

type Names = Extract<keyof UiHandlers, `registry.${string}`>;

/** Registries: which image gets what, and their entries in config.yaml (rule: confirmed-binding). */
export function createRegistryCalls(deps: RegistryCallsDeps): Pick<UiHandlers, Names> {
  const { directory, history, entries, config, bindings, vault } = deps;
  return {
    'registry.why': async ({ image }) => {
      const answered = imageWhy(image, directory);
      if (!answered.ok) {
        throw refusalError(answered);
      }
      return answered.why;
    },
    'registry.test': ({ registry }, { signal }) => tested(registry, deps, signal),
    'registry.lastCalls': ({ registry, most }) => readLastCalls(registryName(registry), most, history.reader),
    'registry.config': async ({ registry }) => {
      const entry = await entries.read(registry);
      const held = vault.state().kind === 'open' ? bindings.pending('registry', registry) : null;
      return {
        // As YAML reads it: a valid entry has no value that JSON can’t represent.
        entry: entry as ClusterEntry,
        file: config.file,
        held: held && { change: held.change, served: held.served, lines: held.lines },
      };
    },
    'registry.check': async ({ registry, entry, isNew }) => ({
      problems: await entries.check(registry, entry, isNew),
    }),
    'registry.set': async ({ registry, entry, isNew }) => {
      mustHaveVault(vault);
      return entries.set(registry, entry, isNew, { kind: 'asking' });
    },
    'registry.remove': async ({ registry }) => ({ undo: await entries.remove(registry) }),
    'registry.putBack': async ({ undo }) => {
      const { name, held } = await entries.putBack(undo);
      return { registry: name, held };
    },
  };
}

async function tested(name: string, { gate, directory, peek }: RegistryCallsDeps, signal: AbortSignal) {
  const shut = gate();
  if (shut) {
    throw refusalError(shut);
  }
  const found = directory.registry(name);
  if (!found.ok) {
    return nothing(found);
  }
  const target = registryTarget(found.registry);
  const account = directory.account(target.account);
  if (!account.ok) {
    return nothing(account);
  }
  const obtained = await peek(account.account, target, signal);
  if (!obtained.ok) {
    return nothing(obtained);
  }
  const password = passwordOf(obtained.credential, target, 'docker');
  if (!password.ok) {
    return nothing(password);
  }
  if (password.credential === null) {
    return nothing({ message: `the plugin of ${target.account} had no credential for the last image` });
  }
  const kubelet = passwordOf(obtained.credential, target, 'kubelet');
  const { expiresAt, noExpiry } = obtained.credential;
  return {
    credential: {
      userName: password.credential.userName,
      expiresAt: noExpiry ? noExpiry.ownExpiry : expiresAt,
    },
    nothing: null,
    notForKubelets: kubelet.ok ? null : kubelet.message,
  };
}

function nothing({ message, hint }: Pick<Refusal, 'message' | 'hint'>) {
  return { credential: null, nothing: { message, hint: hint ?? null }, notForKubelets: null };
}
