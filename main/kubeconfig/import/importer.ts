import { SerialQueue } from '../../base/serial-queue.ts';
import type { BrokerError } from '../../contract/broker-error.ts';
import { type ImportedFiles, importedBefore } from '../../domain/import/imported-before.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import type { Vault } from '../../ports/vault.ts';
import {
  type ApplicableImport,
  type ApplyDeps,
  type ApplyHow,
  applyImport,
  type FileOutcome,
  refusalOf,
} from './apply.ts';
import { type ImportSelection, type ImportSource, type PreparedImport, prepareImport } from './prepare.ts';

export interface ImporterDeps extends ApplyDeps {
  vault: Pick<Vault, 'read' | 'update'>;
  config: Pick<ConfigStore, 'edit' | 'check' | 'current' | 'stated'>;
  /** What came of earlier imports. */
  imported: () => ImportedFiles;
  helperPath: string;
  /** LANYARD_HOME, where the home isn't the platform's own. */
  home: string | null;
}

/**
 * Plans imports against the active configuration, and carries them out. Both throw `vault.locked` while the vault
 * isn't open.
 */
export interface Importer {
  prepare(source: ImportSource, selection: ImportSelection): Promise<PreparedImport>;
  /** Why `apply` would refuse it by now; null: nothing is known against it. */
  refusal(
    prepared: Pick<ApplicableImport, 'edits' | 'files'>,
    how: Pick<ApplyHow, 'confirms'>,
  ): Promise<BrokerError | null>;
  apply(prepared: ApplicableImport, how: ApplyHow): Promise<FileOutcome[]>;
}

export function createImporter(deps: ImporterDeps): Importer {
  const { config, vault, bindings, clock, imported, helperPath, home } = deps;
  // Two that were planned at once may give one name to two accounts: the later has to see what the earlier one did.
  const queue = new SerialQueue();
  return {
    prepare: async (source, selection) =>
      prepareImport(source, selection, {
        config: config.current(),
        content: vault.read(),
        before: importedBefore(imported()),
        pending: new Set(bindings.changes().map(({ what, name }) => `${what} ${name}`)),
        helperPath,
        home,
        platform: process.platform,
        now: clock.now(),
      }),
    refusal: (prepared, how) => refusalOf(prepared, how, deps),
    apply: (prepared, how) => queue.run(() => applyImport(prepared, how, deps)),
  };
}
