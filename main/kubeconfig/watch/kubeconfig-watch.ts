import type { Disposable } from '../../base/disposables.ts';
import { isFile } from '../../domain/import/given-text.ts';
import { type ImportOffer, importOffer } from '../../domain/import/import-offer.ts';
import type { ImportPlan, KubeUserKind } from '../../domain/import/import-plan.ts';
import { withImported } from '../../domain/import/imported-before.ts';
import type { KubeUser, MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import { shellWord } from '../../domain/text/shell-line.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { UndoneEdit } from '../../domain/undone-edit.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { FileWatch } from './file-watch.ts';
import type { KubeconfigState, KubeconfigStateFile } from './state-file.ts';

export interface KubeconfigWatchOptions {
  /** Watched whatever was imported: the user's usual file, the managed kubeconfig. Absolute. */
  files: readonly string[];
  state: KubeconfigStateFile;
  /** Reads kubeconfigs as client-go does. */
  read(files: readonly string[]): Promise<MergedKubeconfig>;
  classify(user: KubeUser): KubeUserKind;
  clock: Pick<Clock, 'after'>;
  log: Log;
  /** How long a file must be quiet before it is read (300). */
  debounceMilliseconds?: number;
  /** How often the files' stamps are also checked, in milliseconds (3000). */
  pollMilliseconds?: number;
}

/**
 * Users that other programs write into the user's kubeconfigs (`aws eks update-kubeconfig`, `kind create cluster`,
 * …). They are offered, never imported unasked (KEP-541/kubeconfig-unchanged).
 */
export interface KubeconfigWatch extends Disposable {
  offers(): readonly ImportOffer[];
  /** Contexts that ran Lanyard until another program wrote them, or their user, again (rule: reversible-edits). */
  undone(): readonly UndoneEdit[];
  /** Called after each change of `offers()` or `undone()`. */
  onChange(listener: () => void): Disposable;
  /** Checks the files now, not at the next event or poll; what has changed was read when it resolves. */
  look(): Promise<void>;
  /** Watches these files too, from now on and after a restart. */
  watch(files: readonly string[]): Promise<void>;
  /**
   * An import has read these: their present users are no longer offered, the files are watched, and what they became
   * by `plan` is remembered. Of a text that was given, nothing is: each is pasted once.
   */
  markSeen(merged: MergedKubeconfig, plan: Pick<ImportPlan, 'users' | 'clusters'>): Promise<void>;
  /** An import of this file was undone: its content is not offered again. */
  markRestored(file: string): Promise<void>;
  /**
   * The user wants no offer of the present users, and leaves contexts as other programs wrote them; of these files, or
   * of all. Returns what was dismissed and left, and whether that survives a restart.
   */
  dismiss(files?: readonly string[]): Promise<{
    dismissed: readonly ImportOffer[];
    leaving: readonly UndoneEdit[];
    kept: boolean;
  }>;
}

/** Starts to watch. The files are first read soon, not immediately: the broker's start doesn't wait for them. */
export function createKubeconfigWatch(options: KubeconfigWatchOptions): KubeconfigWatch {
  const { state, classify, log } = options;
  /** By file, the content of its last valid reading. */
  const readings = new Map<string, Reading>();
  const listeners = new Set<() => void>();
  let offers: readonly ImportOffer[] = [];
  let undone: readonly UndoneEdit[] = [];

  const refresh = () => {
    const { seen, dismissed, lanyardContexts } = state.current();
    const ofLanyard = (file: string) => lanyardContexts[file] ?? [];
    const edits = [...readings].flatMap(
      ([file, reading]) => undoneEdit(file, reading, ofLanyard(file)) ?? [],
    );
    const inContexts = new Set(
      // Who took Lanyard’s place is not new: that is said of the contexts.
      [...readings].flatMap(([file, reading]) => {
        const gone = new Set(undoneContexts(reading, ofLanyard(file)));
        return [...reading.contexts].flatMap(([context, user]) => (gone.has(context) ? [] : [user]));
      }),
    );
    const next = [...readings].flatMap(([file, { kinds }]) => {
      const known = {
        seen: new Map(seen[file] ?? []),
        dismissed: new Set(dismissed[file] ?? []),
        inContexts,
      };
      return importOffer(file, kinds, known) ?? [];
    });
    if (JSON.stringify([next, edits]) !== JSON.stringify([offers, undone])) {
      offers = next;
      undone = edits;
      for (const listener of [...listeners]) {
        listener();
      }
    }
  };

  const readOne = async (file: string) => {
    const merged = await options.read([file]);
    if (merged.problems.some(({ severity }) => severity === 'error')) {
      // Incomplete, perhaps: the earlier content applies until it can be read.
      log.debug('kubeconfigs.unreadable', { file });
      return;
    }
    const kinds = new Map([...merged.users].map(([name, user]) => [name, classify(user)]));
    const contexts = new Map([...merged.contexts].map(([name, { user }]) => [name, user]));
    readings.set(file, { kinds, contexts });
    const text = merged.files.find(({ path }) => path === file)?.text ?? '';
    // A file without text may be about to be written.
    await state.update((current) =>
      text.trim() === '' ? current : followed(current, file, { kinds, contexts }),
    );
    refresh();
  };

  const files = new FileWatch({
    clock: options.clock,
    log,
    debounceMilliseconds: options.debounceMilliseconds ?? 300,
    pollMilliseconds: options.pollMilliseconds ?? 3000,
    read: readOne,
  });
  files.add([...new Set([...options.files, ...state.current().files])]);

  const watch = async (added: readonly string[]) => {
    await state.update((current) => {
      const list = new Set([...current.files, ...added.filter((file) => !options.files.includes(file))]);
      return list.size === current.files.length ? current : { ...current, files: [...list] };
    });
    files.add(added);
    await files.look();
  };
  return {
    offers: () => offers,
    undone: () => undone,
    onChange(listener) {
      const own = () => listener();
      listeners.add(own);
      return { dispose: () => void listeners.delete(own) };
    },
    look: () => files.look(),
    watch,
    async markSeen(merged, plan) {
      const seen = seenIn(merged, classify);
      await state.update((current) => ({
        ...current,
        seen: { ...current.seen, ...seen },
        imported: withImported(current.imported, {
          users: plan.users.filter(({ file }) => isFile(file)),
          clusters: plan.clusters.filter(({ file }) => isFile(file)),
        }),
      }));
      await watch(
        merged.files.filter(({ path, text }) => text !== null && isFile(path)).map(({ path }) => path),
      );
      refresh();
    },
    async markRestored(file) {
      const seen = seenIn(await options.read([file]), classify);
      await state.update((current) => ({
        ...current,
        seen: { ...current.seen, ...seen },
        lanyardContexts: { ...current.lanyardContexts, [file]: [] },
      }));
      refresh();
    },
    async dismiss(only) {
      const dismissed = offers.filter(({ file }) => only === undefined || only.includes(file));
      const leaving = undone.filter(({ file }) => only === undefined || only.includes(file));
      const kept = await state.update((current) => {
        const next = { ...current.dismissed };
        for (const { file, importable } of dismissed) {
          next[file] = [...new Set([...(next[file] ?? []), ...importable])];
        }
        const contexts = { ...current.lanyardContexts };
        for (const { file } of leaving) {
          const reading = readings.get(file);
          const gone = reading ? undoneContexts(reading, contexts[file] ?? []) : [];
          contexts[file] = (contexts[file] ?? []).filter((each) => !gone.includes(each));
        }
        return dismissed.length + leaving.length === 0
          ? current
          : { ...current, dismissed: next, lanyardContexts: contexts };
      });
      refresh();
      return { dismissed, leaving, kept };
    },
    async dispose() {
      listeners.clear();
      await files.dispose();
    },
  };
}

/** What was last read of one file. */
interface Reading {
  kinds: ReadonlyMap<string, KubeUserKind>;
  /** The user of each context. */
  contexts: ReadonlyMap<string, string>;
}

/** Contexts that ran Lanyard, and have another user’s credentials now. A user of another file is not looked up. */
function undoneContexts({ kinds, contexts }: Reading, ofLanyard: readonly string[]): string[] {
  return ofLanyard.filter((context) => {
    const kind = kinds.get(contexts.get(context) ?? '');
    return kind !== undefined && kind !== 'lanyard';
  });
}

const shownContexts = 3;

function undoneEdit(file: string, reading: Reading, ofLanyard: readonly string[]): UndoneEdit | null {
  const gone = undoneContexts(reading, ofLanyard);
  if (gone.length === 0) {
    return null;
  }
  const isFew = gone.length <= shownContexts;
  const names = gone.slice(0, shownContexts).map((each) => visibleText(each, 100));
  const [what, verb] = gone.length === 1 ? ['context', 'uses'] : ['contexts', 'use'];
  const text = `the ${what} ${names.join(', ')}${isFew ? '' : ` and ${gone.length - shownContexts} more`}`;
  const only = isFew ? gone.map((each) => `--context ${shellWord(each)} `).join('') : '';
  return {
    what: 'kubeconfig',
    file,
    text: `${text} no longer ${verb} Lanyard: another program wrote the entries again`,
    command: visibleText(`lanyard kubeconfig import --in-place ${only}${shellWord(file)}`, 2000),
  };
}

/** By file, all users that these hold with their kinds, hidden ones too. */
function seenIn(
  merged: MergedKubeconfig,
  classify: (user: KubeUser) => KubeUserKind,
): KubeconfigState['seen'] {
  const seen: Record<string, [string, string][]> = {};
  for (const { path, text } of merged.files) {
    if (text !== null && isFile(path)) {
      seen[path] = [];
    }
  }
  for (const user of merged.users.values()) {
    seen[user.origin.file]?.push([user.origin.name, classify(user)]);
  }
  for (const entry of merged.hidden) {
    if (entry.what === 'user') {
      seen[entry.origin.file]?.push([entry.name, classify(entry.user)]);
    }
  }
  return seen;
}

/**
 * What was seen of a file, after it changed: a user or context that is gone is forgotten (`kind delete cluster` and
 * `create` make another one of the same name), and one that runs Lanyard now would be news if it ran something else
 * again.
 */
function followed(state: KubeconfigState, file: string, { kinds, contexts }: Reading): KubeconfigState {
  const before = state.seen[file] ?? [];
  const known = new Set(state.lanyardContexts[file] ?? []);
  const ofLanyard = [...contexts].flatMap(([context, user]) =>
    kinds.get(user) === 'lanyard' || known.has(context) ? [context] : [],
  );
  const after = before
    .filter(([name]) => kinds.has(name))
    .map(([name, kind]): [string, string] => [name, kinds.get(name) === 'lanyard' ? 'lanyard' : kind]);
  return JSON.stringify([after, ofLanyard]) === JSON.stringify([before, [...known]])
    ? state
    : {
        ...state,
        seen: { ...state.seen, [file]: after },
        lanyardContexts: { ...state.lanyardContexts, [file]: ofLanyard },
      };
}
