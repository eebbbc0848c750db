import type { Pkcs11Config } from '../../contract/config/accounts/pkcs11.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { noProgramText } from '../../domain/program/program.ts';
import { type PreparedRunDeps, prepareRun } from '../plugins/prepare-run.ts';
import { platformRefusal } from './token-words.ts';

export interface PrepareModuleDeps extends PreparedRunDeps {
  platform?: NodeJS.Platform;
}

/** A module’s file, as lanyard-keys loads it. */
export interface ModuleOrder {
  /** Absolute. */
  module: string;
  /** In hex: another content isn’t loaded. */
  sha256: string;
  /** All that it gets. */
  environment: Readonly<Record<string, string>>;
}

/** The account’s module, as it was approved. Throws BrokerError (reason locked). */
export async function prepareModule(
  deps: PrepareModuleDeps,
  { module, env }: Pick<Pkcs11Config, 'module' | 'env'>,
): Promise<({ ok: true } & ModuleOrder) | Refusal> {
  const { name } = deps.account;
  const elsewhere = platformRefusal(deps.platform ?? process.platform);
  if (elsewhere) {
    return elsewhere;
  }
  const prepared = await prepareRun(deps, { program: { args: [], env } });
  switch (prepared.how) {
    case 'refused':
      return prepared.refusal;
    case 'none':
      return refuse(
        'provider',
        'pkcs11.moduleMissing',
        `the PKCS#11 module ${module} of ${name} can’t be loaded: ${noProgramText(prepared.found)}`,
        `install it, or change module of the account ${name} in config.yaml`,
      );
    case 'ready': {
      const { order, sha256 } = prepared;
      return { ok: true, module: order.command, sha256: sha256 ?? '', environment: order.env };
    }
  }
}
