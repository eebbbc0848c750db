import { BrokerError } from '../../contract/broker-error.ts';
import { refuse } from '../../contract/refusal.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import type { Account } from '../../ports/account.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { Vault } from '../../ports/vault.ts';
import type { PluginMemory } from '../plugins/memory.ts';
import { examineProgram, type ProgramAccount, programState } from '../plugins/program-account.ts';

export interface RequestSignerDeps {
  account: LoadedAccount;
  programs: PluginPrograms;
  vault: Pick<Vault, 'read'>;
  memory: Pick<PluginMemory, 'lastOf'>;
}

/** A program of the person’s own that signs requests (running-signers.ts runs it). It gives no credential. */
export function createRequestSignerAccount(deps: RequestSignerDeps): Account {
  const { name, config } = deps.account;
  if (!('requestSigner' in config)) {
    throw new BrokerError('account.kind', `account ${name} is no program that signs requests`);
  }
  const asProgram: ProgramAccount = { ...deps, kind: 'requestSigner', program: config.requestSigner };
  return {
    name,
    kind: 'requestSigner',
    keepsNothing: true,
    renewsAhead: false,
    current: async () => null,
    renew: async () =>
      refuse(
        'notPermitted',
        'requestSigner.noCredential',
        `${name} signs requests, and gives no credential`,
        `name it in a step of a proxied cluster’s chain: sign: ${name}`,
      ),
    state: () => programState(asProgram),
    examine: () => examineProgram(asProgram),
  };
}
