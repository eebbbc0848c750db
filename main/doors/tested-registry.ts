import type { z } from 'zod';
import { refusalError } from '../contract/broker-error.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { registryCalls } from '../contract/ui/calls/registries.ts';
import type { LoadedRegistry } from '../domain/loaded-config.ts';
import { registryTarget } from '../domain/target/registry-target.ts';
import type { Target } from '../domain/target/target.ts';
import { registryAnswer } from '../operations/registry-answer.ts';
import { type TestedPlace, testedPlace } from '../operations/registry-host.ts';
import type { Account, Credential, Obtained } from '../ports/account.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';
import type { RegistryQuestion, RegistryVerdict } from '../registries/registry-question.ts';
import { passwordOf } from './registry-password.ts';

export interface TestedRegistryDeps {
  directory: Pick<Directory, 'account' | 'registry' | 'registryFor'>;
  gate: Gate;
  /** Begins no login and runs no plugin. */
  peek(account: Account, target: Target, signal: AbortSignal): Promise<Obtained>;
  askRegistry(question: RegistryQuestion, signal: AbortSignal): Promise<RegistryVerdict>;
}

type Output = z.output<(typeof registryCalls)['registry.test']['output']>;

/**
 * The test that a page asks for: with the credential that the account has now, without a question. So it goes only where
 * no caller chooses the host, or the registry’s policy asks for no approval. Throws where nothing may be tested.
 */
export async function testedRegistry(
  name: string,
  image: string | null,
  deps: TestedRegistryDeps,
  signal: AbortSignal,
): Promise<Output> {
  const before = permitted(name, deps);
  if (!before.ok) {
    return nothing(before);
  }
  const { registry, account } = before;
  const at = testedPlace(registry, image, deps.directory);
  if (!at.ok) {
    throw refusalError(at);
  }
  const target = registryTarget(registry);
  const obtained = await deps.peek(account, target, signal);
  if (!obtained.ok) {
    return nothing(obtained);
  }
  const { credential } = obtained;
  const password = passwordOf(credential, target, 'docker');
  if (!password.ok) {
    return nothing(password);
  }
  if (password.credential === null) {
    return nothing({ message: `the plugin of ${target.account} had no credential for the last image` });
  }
  const unasked = whyNotHere(at.place, registry, account);
  if (unasked) {
    throw refusalError(unasked);
  }
  // A renewal takes time: the vault may be locked now, or the name may have other patterns.
  const now = permitted(name, deps);
  if (!now.ok || now.registry !== registry) {
    throw refusalError(
      now.ok
        ? refuse('notPermitted', 'target.changed', `${name} has changed meanwhile`, 'test it again')
        : now,
    );
  }
  const kubelet = passwordOf(credential, target, 'kubelet');
  const { host } = at.place;
  const { tokenServers = [] } = registry.config;
  const verdict = await deps.askRegistry(
    { host, image: at.place.image, credential: password.credential, tokenServers },
    signal,
  );
  return {
    credential: { userName: password.credential.userName, expiresAt: expiryOf(credential) },
    nothing: null,
    notForKubelets: kubelet.ok ? null : kubelet.message,
    answer: registryAnswer(verdict, {
      registry: name,
      account: target.account,
      host,
      image,
      replacedBy: account.replacedBy,
    }),
  };
}

function permitted(
  name: string,
  { gate, directory }: TestedRegistryDeps,
): { ok: true; registry: LoadedRegistry; account: Account } | Refusal {
  const shut = gate();
  if (shut) {
    throw refusalError(shut);
  }
  const found = directory.registry(name);
  if (!found.ok) {
    return found;
  }
  const account = directory.account(found.registry.config.account);
  return account.ok ? { ok: true, registry: found.registry, account: account.account } : account;
}

/** What a plugin or another helper answered is for the last image, at whichever host that was. */
function whyNotHere(
  { isChosen, isOnly }: TestedPlace,
  { name, config }: LoadedRegistry,
  { shapedBy }: Account,
): Refusal | null {
  const atTerminal = `run it in a terminal: lanyard registry test ${name} IMAGE`;
  if (shapedBy && !isOnly) {
    return refuse(
      'notPermitted',
      'registry.otherHost',
      `the credential that ${config.account} has now may be for another host`,
      atTerminal,
    );
  }
  return isChosen && config.approval !== 'never'
    ? refuse('notPermitted', 'registry.asks', `${name} asks for your approval first`, atTerminal)
    : null;
}

function expiryOf({ expiresAt, noExpiry }: Credential): number | null {
  return noExpiry ? noExpiry.ownExpiry : expiresAt;
}

function nothing({ message, hint }: Pick<Refusal, 'message' | 'hint'>): Output {
  return {
    credential: null,
    nothing: { message, hint: hint ?? null },
    notForKubelets: null,
    answer: null,
  };
}
