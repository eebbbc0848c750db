import { watchOpenings } from '../access/lock.ts';
import type { Disposables } from '../base/disposables.ts';
import { durationMilliseconds } from '../contract/duration.ts';
import { restoreRejecting } from '../grants/rejecting-after.ts';
import type { Areas } from './areas.ts';

/** Brings everything to the state of the vault and config.yaml, and keeps it there as they change. */
export async function startServing(
  { deps, served, records, credentials, consent, locking, kubeconfigs, requestProxy }: Areas,
  disposables: Disposables,
): Promise<void> {
  const { vault, config, history, clock, log } = deps;
  const { bindings } = served;
  const { directory, grants, signers, tokens } = credentials;
  const { idleLock } = locking;
  const applySettings = () => {
    const keep = bindings.settings()?.history.keep;
    history.keep(keep === undefined ? Infinity : (durationMilliseconds(keep) ?? Infinity));
    idleLock.limitChanged();
    return records.scraping.update();
  };
  const servingChanged = () => {
    directory.refresh();
    signers.refresh();
    tokens.refresh();
    consent.approvals.refresh(directory.targets());
    void requestProxy.changed();
    void applySettings();
  };
  const keepForms = () =>
    bindings.keepForms().catch((error: unknown) => log.warn('bindings.forms', { error: String(error) }));

  await bindings.adoptNewVault();
  await keepForms();
  await kubeconfigs.freeLocks();
  const restored = restoreRejecting(history.reader, grants, clock).catch((error: unknown) =>
    log.warn('grants.notRestored', { error }),
  );
  disposables.add({ dispose: () => restored });
  disposables.add(bindings.onConfirmed(servingChanged));
  disposables.add(
    watchOpenings(vault, records.recorder, () => {
      idleLock.touch();
      servingChanged();
      void keepForms();
      void kubeconfigs.freeLocks();
    }),
  );
  disposables.add(
    config.onChange(() => {
      servingChanged();
      void keepForms();
    }),
  );
  const proxy = requestProxy.restore();
  disposables.add({ dispose: () => proxy });
  await applySettings();
}
