import { refusalError } from '../../../contract/broker-error.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import { registryName, registryTarget } from '../../../domain/target/registry-target.ts';
import type { Target } from '../../../domain/target/target.ts';
import { imageWhy } from '../../../operations/image-why.ts';
import { readLastCalls } from '../../../operations/last-calls.ts';
import type { Account, Obtained } from '../../../ports/account.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import type { HistoryReader } from '../../../ports/history-reader.ts';
import { passwordOf } from '../../registry-password.ts';
import type { UiHandlers } from '../handlers.ts';

export interface RegistryCallsDeps {
  directory: Pick<Directory, 'account' | 'registry' | 'registries' | 'registryPatterns'>;
  gate: Gate;
  /** Begins no login and runs no plugin. */
  peek(account: Account, target: Target, signal: AbortSignal): Promise<Obtained>;
  history: { reader: Pick<HistoryReader, 'events'> };
}

type Names = Extract<keyof UiHandlers, `registry.${string}`>;

/** Registries: which image gets what, who asked, and whether the account has a credential. */
export function createRegistryCalls(deps: RegistryCallsDeps): Pick<UiHandlers, Names> {
  const { directory, history } = deps;
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
