import type { Bindings } from '../../access/bindings.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import type { Recorder } from '../../ports/history.ts';
import type { Backup, Vault } from '../../ports/vault.ts';
import { makeBackup } from './backups.ts';
import type { FileEdit, PreparedImport } from './prepare.ts';
import type { ReplaceFile, Waiting } from './replace-file.ts';
import { changedAuthorities } from './seen-authorities.ts';

export interface ApplyDeps {
  vault: Pick<Vault, 'read' | 'update'>;
  config: Pick<ConfigStore, 'edit' | 'current' | 'stated'>;
  bindings: Pick<Bindings, 'approve' | 'changes' | 'changesTo'>;
  recorder: Recorder;
  clock: Pick<Clock, 'now'>;
  replace: ReplaceFile;
  /** The account has different secrets now: nothing that was made from the old ones is issued. */
  onSecrets(account: string): void;
}

export interface ApplyHow extends Waiting {
  /** The user at a terminal has seen it (rule: confirmed-binding); else what is new is pending. */
  confirms: boolean;
}

/** What is carried out of an import. */
export type ApplicableImport = Pick<
  PreparedImport,
  'seen' | 'edits' | 'secrets' | 'programs' | 'authorities' | 'files'
>;

/** What came of one file: `kept` says why it is as it was. */
export interface FileOutcome {
  path: string;
  kept: string | null;
}

/**
 * Carries out what was prepared, in an order in which a kill at any moment leaves every file complete: secrets and
 * backups first, into the vault; then config.yaml; then the approval; each of the user's files last. Returns the
 * results for the files. Throws `import.changed` where config.yaml is not what the plan was made against.
 */
export async function applyImport(
  prepared: ApplicableImport,
  how: ApplyHow,
  deps: ApplyDeps,
): Promise<FileOutcome[]> {
  checkUnchanged(prepared, deps);
  if (how.confirms) {
    checkAccounts(prepared, deps);
  }
  // Throws while it is locked: an account without secrets would otherwise get into config.yaml, and be pending there.
  deps.vault.read();
  const backups = await Promise.all(
    prepared.files.map((file) =>
      makeBackup({ path: file.path, mode: file.mode, text: file.before }, file.text, deps.clock.now()),
    ),
  );
  if (backups.length > 0 || Object.keys(prepared.secrets).length > 0) {
    await deps.vault.update((content) => ({
      ...content,
      secrets: { ...content.secrets, ...prepared.secrets },
      backups: [...content.backups.filter((old) => !backups.some((each) => isSame(old, each))), ...backups],
    }));
  }
  for (const account of Object.keys(prepared.secrets)) {
    deps.onSecrets(account);
  }
  if (prepared.edits.length > 0) {
    // Checked again: another command may have made an account by that name, with a secret that isn't for these servers.
    checkUnchanged(prepared, deps);
    await writeConfig(prepared, how.confirms, deps);
  }
  const outcomes: FileOutcome[] = [];
  for (const [index, file] of prepared.files.entries()) {
    outcomes.push(await writeFile(file, backups[index], how, deps));
  }
  return outcomes;
}

function checkUnchanged({ seen }: ApplicableImport, { config }: ApplyDeps): void {
  if (config.current() !== seen) {
    throw new BrokerError('import.changed', 'config.yaml has changed since the plan was made', {
      reason: 'denied',
      hint: 'run the import again',
    });
  }
}

/**
 * A cluster, a registry or an inventory is not approved for an account that was not approved as the plan shows it: while another form of it is
 * active, or where it is new. That one is reviewed first, so that no approval leads to an unseen account.
 */
function checkAccounts({ edits }: ApplicableImport, { bindings }: ApplyDeps): void {
  const used = new Set(edits.flatMap(({ what, value }) => (what === 'account' ? [] : accountsOf(value))));
  const pending = bindings.changes().find(({ what, name }) => what === 'account' && used.has(name));
  if (pending) {
    const state = pending.change === 'new' ? 'is new and pending approval' : 'has a change pending approval';
    throw new BrokerError(
      'import.pending',
      `the account ${pending.name}, which a new entry would use, ${state}`,
      { reason: 'denied', hint: `review it first: lanyard confirm ${pending.name}` },
    );
  }
}

/** Of a cluster or a registry its own, of an inventory those of its providers. */
function accountsOf(value: unknown): string[] {
  const { account, providers } = value as { account?: string; providers?: readonly { account: string }[] };
  return providers?.map((each) => each.account) ?? (account === undefined ? [] : [account]);
}

async function writeConfig(
  { edits, authorities, programs }: ApplicableImport,
  confirms: boolean,
  deps: ApplyDeps,
): Promise<void> {
  await deps.config.edit(edits);
  for (const { what, name } of edits) {
    deps.recorder.record({ kind: 'change', what: `${what}.add`, name });
  }
  if (confirms) {
    const stated = await deps.config.stated(edits);
    const changed = changedAuthorities(authorities, stated);
    if (changed.length > 0) {
      throw new BrokerError(
        'import.authority',
        `the CA file of ${changed.slice(0, 5).join(', ')} has changed since it was shown: what is new is pending approval`,
        { reason: 'denied', hint: 'review it: lanyard confirm' },
      );
    }
    // As the plan said them, not as the file does by now. `programs`: what new accounts run, as it was shown.
    await deps.bindings.approve({ changes: deps.bindings.changesTo(stated), programs });
  }
}

async function writeFile(
  file: FileEdit,
  backup: Backup | undefined,
  waiting: Waiting,
  { replace, vault, recorder }: ApplyDeps,
): Promise<FileOutcome> {
  const kept = await replace(
    { path: file.path, expected: file.before, text: file.text, mode: file.mode },
    waiting,
  );
  if (kept === null) {
    recorder.record({ kind: 'change', what: 'kubeconfig.edit', name: file.path });
    return { path: file.path, kept };
  }
  await vault.update((content) => ({
    ...content,
    backups: content.backups.filter(({ id }) => id !== backup?.id),
  }));
  return { path: file.path, kept };
}

/** Backups of the same text: the earlier edit was killed before it was made, or undone by hand. */
function isSame(old: Backup, now: Backup): boolean {
  return old.file === now.file && old.content.reveal() === now.content.reveal();
}
