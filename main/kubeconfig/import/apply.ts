import type { Bindings } from '../../access/bindings.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { inOneLine } from '../../contract/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import type { Recorder } from '../../ports/history.ts';
import type { Backup, Vault, VaultContent } from '../../ports/vault.ts';
import { makeBackup } from './backups.ts';
import type { FileEdit, PreparedImport } from './prepare.ts';
import type { CheckFile, ReplaceFile, Waiting } from './replace-file.ts';
import { changedAuthorities } from './seen-authorities.ts';

export interface ApplyDeps {
  vault: Pick<Vault, 'read' | 'update'>;
  config: Pick<ConfigStore, 'edit' | 'check' | 'current' | 'stated'>;
  bindings: Pick<Bindings, 'approve' | 'changes' | 'changesTo'>;
  recorder: Recorder;
  clock: Pick<Clock, 'now'>;
  replace: ReplaceFile;
  check: CheckFile;
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
 * Why it would not be carried out, as far as that is known without a byte written; null: nothing speaks against it. A
 * dry run ends with it, and a run begins with it, before anyone is asked. Throws `config.invalid` as an edit would.
 */
export async function refusalOf(
  { edits, files }: Pick<ApplicableImport, 'edits' | 'files'>,
  { confirms }: Pick<ApplyHow, 'confirms'>,
  deps: ApplyDeps,
): Promise<BrokerError | null> {
  try {
    if (edits.length > 0) {
      await deps.config.check([]);
    }
    if (confirms) {
      checkAccounts({ edits }, deps);
    }
  } catch (error) {
    if (error instanceof BrokerError) {
      return error;
    }
    throw error;
  }
  for (const { path } of files) {
    const refused = await deps.check(path);
    if (refused) {
      return nothingDone(refused.message, refused, files.length);
    }
  }
  return null;
}

/** `files`: how many were to be edited. */
function nothingDone(
  why: string,
  error: Partial<Pick<BrokerError, 'code' | 'reason' | 'hint'>>,
  files: number,
) {
  const { code = 'import.kept', reason = 'denied', hint } = error;
  const without = `${files > 1 ? 'to import without editing these files' : 'to import without editing the file'}: leave out --in-place`;
  return new BrokerError(code, `nothing was imported: ${why}`, {
    reason,
    hint: hint === undefined ? without : `${hint}; ${without}`,
  });
}

/**
 * Carries out what was prepared, in an order in which a kill at any moment leaves every file complete: backups first,
 * into the vault; then each of the user's files is made ready, under its lock, up to the rename; then secrets,
 * config.yaml and the approval; the renames last. So a file that can't be edited leaves nothing behind. Returns the
 * results for the files: one may still be kept, where a program that takes no lock changed it in between, or where
 * there was nothing to do but the files. Throws `import.changed` where config.yaml is not what the plan was made
 * against.
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
  const { edits, secrets, files } = prepared;
  const backups = await Promise.all(
    files.map((file) =>
      makeBackup({ path: file.path, mode: file.mode, text: file.before }, file.text, deps.clock.now()),
    ),
  );
  if (backups.length > 0) {
    await deps.vault.update((content) => ({
      ...content,
      backups: [...content.backups.filter((old) => !backups.some((each) => isSame(old, each))), ...backups],
    }));
  }
  const outcomes: FileOutcome[] = [];
  let isCommitted = edits.length === 0 && Object.keys(secrets).length === 0;
  const commit = async () => {
    if (!isCommitted) {
      await commitEntries(prepared, how.confirms, deps);
      isCommitted = true;
    }
  };
  const write = async (index: number, next: () => Promise<void>) => {
    const file = files[index] as FileEdit;
    const inner: unknown[] = [];
    const ready = () =>
      next().catch((error: unknown) => {
        inner.push(error);
        throw error;
      });
    const change = { path: file.path, expected: file.before, text: file.text, mode: file.mode, ready };
    const kept = await deps.replace(change, how).catch((error: unknown) => {
      if (inner.length > 0) {
        throw inner[0];
      }
      if (!(error instanceof BrokerError)) {
        throw error;
      }
      if (!isCommitted) {
        throw nothingDone(error.message, error, files.length);
      }
      return inOneLine(error);
    });
    if (kept !== null && !isCommitted) {
      throw nothingDone(`${file.path}: ${kept}`, {}, files.length);
    }
    if (kept === null) {
      deps.recorder.record({ kind: 'change', what: 'kubeconfig.edit', name: file.path });
    }
    outcomes.push({ path: file.path, kept });
  };
  try {
    if (isCommitted) {
      for (const index of files.keys()) {
        await write(index, async () => undefined);
      }
    } else {
      // Each is made ready within the one before: all locks are held when the entries are written.
      const begin = (index: number): Promise<void> =>
        index === files.length ? commit() : write(index, () => begin(index + 1));
      await begin(0);
    }
  } finally {
    const edited = new Set(outcomes.flatMap(({ path, kept }) => (kept === null ? [path] : [])));
    await dropBackups(
      backups.filter(({ file }) => !edited.has(file)),
      deps,
    );
  }
  return outcomes;
}

async function dropBackups(dropped: readonly Backup[], { vault }: ApplyDeps): Promise<void> {
  const ids = new Set(dropped.map(({ id }) => id));
  if (ids.size > 0) {
    await vault.update((content) => ({
      ...content,
      backups: content.backups.filter(({ id }) => !ids.has(id)),
    }));
  }
}

/** Secrets, config.yaml and the approval. What can't be written into config.yaml leaves the secrets as they were. */
async function commitEntries(prepared: ApplicableImport, confirms: boolean, deps: ApplyDeps): Promise<void> {
  const { edits, secrets, authorities } = prepared;
  const stated = confirms ? await deps.config.stated(edits) : null;
  const changed = stated === null ? [] : changedAuthorities(authorities, stated);
  if (changed.length > 0) {
    throw new BrokerError(
      'import.authority',
      `nothing was imported: the CA file of ${changed.slice(0, 5).join(', ')} has changed since it was shown`,
      { reason: 'denied', hint: 'run the import again, and compare its fingerprint' },
    );
  }
  const names = Object.keys(secrets);
  let before: VaultContent['secrets'] = {};
  if (names.length > 0) {
    await deps.vault.update((content) => {
      before = content.secrets;
      return { ...content, secrets: { ...content.secrets, ...secrets } };
    });
  }
  try {
    if (edits.length > 0) {
      // Checked again: another command may have made an account by that name, with a secret that isn't for these servers.
      checkUnchanged(prepared, deps);
      await deps.config.edit(edits);
    }
  } catch (error) {
    if (names.length > 0) {
      const restored = names.filter((name) => Object.hasOwn(before, name));
      await deps.vault.update((content) => ({
        ...content,
        secrets: {
          ...Object.fromEntries(Object.entries(content.secrets).filter(([name]) => !names.includes(name))),
          ...Object.fromEntries(restored.map((name) => [name, before[name] ?? {}])),
        },
      }));
    }
    throw error;
  }
  for (const account of names) {
    deps.onSecrets(account);
  }
  for (const { what, name } of edits) {
    deps.recorder.record({ kind: 'change', what: `${what}.add`, name });
  }
  if (stated !== null && edits.length > 0) {
    // As the plan said them, not as the file does by now. `programs`: what new accounts run, as it was shown.
    await deps.bindings.approve({ changes: deps.bindings.changesTo(stated), programs: prepared.programs });
  }
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
function checkAccounts({ edits }: Pick<ApplicableImport, 'edits'>, { bindings }: ApplyDeps): void {
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

/** Backups of the same text: the earlier edit was killed before it was made, or undone by hand. */
function isSame(old: Backup, now: Backup): boolean {
  return old.file === now.file && old.content.reveal() === now.content.reveal();
}
