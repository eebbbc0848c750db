import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Disposable } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { toRefusal } from '../../contract/broker-error.ts';
import type { MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import {
  checkUnlocked,
  editKubeconfigText,
  kubeconfigValue,
  type LockedAnswer,
  type WriteLockedDeps,
  writeLocked,
} from '../edit/index.ts';
import type { Waiting } from '../import/replace-file.ts';
import {
  type ConsentFile,
  type KubectlWay,
  nothingWritten,
  type UserContextsState,
  type WrittenEntries,
} from './consent.ts';
import { managedElsewhere } from './managed-elsewhere.ts';
import { eitherWritten, isNothing, planContexts, type WantedContext } from './plan-contexts.ts';

export interface UserContextsDeps {
  consent: ConsentFile;
  /** The managed kubeconfig. */
  managed: string;
  /** Of chezmoi’s source; null: there is none. */
  homeDirectory: string | null;
  /** What is approved now, each as the user’s kubectl is to see it; null: it can’t be told, as while locked. */
  wanted(): Promise<readonly WantedContext[] | null>;
  /** Reads kubeconfigs as client-go does. */
  read(files: readonly string[]): Promise<MergedKubeconfig>;
  /** Writes the managed kubeconfig with all that is approved. */
  writeManaged(): Promise<unknown>;
  /** A file’s text was replaced by Lanyard: nobody else changed it. */
  onEdited(file: string, before: string, after: string): Promise<void>;
  locking: WriteLockedDeps;
  clock: Pick<Clock, 'after'>;
  log: Log;
}

/** Which of the user’s files have entries of Lanyard’s, and how many clusters these are for. */
export interface FileWithContexts {
  file: string;
  clusters: number;
}

/**
 * Contexts of approved clusters where the user’s plain `kubectl` finds them (rule: reversible-edits): in the one
 * kubeconfig of theirs that they agreed to, or in the managed one, which they add to KUBECONFIG.
 */
export interface UserContexts extends Disposable {
  way(): KubectlWay | null;
  /** The user’s terminals were last seen with the managed kubeconfig in KUBECONFIG. */
  seesManaged(): boolean;
  /** Remembers what a terminal’s kubectl reads. */
  saw(files: readonly string[]): Promise<void>;
  /** Why the file of this way can’t have contexts now, in words that follow its name; null: it has them. */
  fault(): string | null;
  /** The same of a file before the user agrees to it, or before they take that back. Changes nothing. */
  faultOf(file: string, what?: 'adding' | 'removing'): Promise<string | null>;
  files(): readonly FileWithContexts[];
  /**
   * What the user has agreed to. Contexts are there, and those of an earlier way are gone, when it resolves; else
   * `fault` says why not. Throws BrokerError `file.write` where it could not be recorded.
   */
  choose(way: KubectlWay, waiting: Waiting): Promise<void>;
  /** Takes Lanyard’s entries out of this file, or all; the way that leads there is over. Null: done, else why not. */
  takeOut(file: string | null, waiting: Waiting): Promise<string | null>;
  /** Has the files follow what is approved; done when it resolves. */
  reconcile(): Promise<void>;
  /** The same, soon. */
  follow(): void;
  onChange(listener: () => void): Disposable;
}

/** Milliseconds that a burst of changes may be quiet, and until a file that is locked is tried again. */
const quietMilliseconds = 100;
const againMilliseconds = 10_000;
/** How long another program may keep a file locked, where nobody waits. */
const lockMilliseconds = 30_000;
/** Another program that writes again and again between reading and writing is no reason to go on for ever. */
const attempts = 5;
/** A program that removes Lanyard’s entries whenever they come isn’t fought: after this many times in this time. */
const maxRestores = 5;
const restoresMilliseconds = 600_000;
/**
 * A program that takes no lock, such as a shell with `> ~/.kube/config`, empties the file, and writes to it later, in
 * parts. What it wrote to a file that was replaced in between would be lost. So one that is empty, and one that others
 * changed just now, waits, but where the user has just agreed to it.
 */
const emptyMilliseconds = 600_000;
const settledMilliseconds = 2_000;

/** The user agreed to the file, or takes that back; a command waits for what it has approved; nobody waits. */
type Asked = 'byUser' | 'byCommand' | 'byNobody';

export function createUserContexts(deps: UserContextsDeps): UserContexts {
  const { consent, clock, locking, log } = deps;
  const queue = new SerialQueue();
  const changed = createListeners();
  let fault: string | null = null;
  let waiting: { due: number; timer: Disposable } | null = null;
  let ended = false;
  /** By file: when entries that another program had removed were written again. */
  const restores = new Map<string, number[]>();
  /** By file: what was written last. */
  const lastText = new Map<string, string>();

  const followIn = (milliseconds: number) => {
    const due = locking.clock.boottime() + milliseconds;
    if (ended || (waiting && waiting.due <= due)) {
      return;
    }
    void waiting?.timer.dispose();
    const timer = clock.after(milliseconds, () => {
      waiting = null;
      queue
        .run(() => all('byNobody', background()))
        .catch((error: unknown) => {
          log.warn('contexts.follow', { error: String(error) });
        });
    });
    waiting = { due, timer };
  };
  /** Each file that has entries of Lanyard’s, or is to have. */
  const all = async (asked: Asked, how: Waiting) => {
    const before = fault;
    const { way, written } = consent.current();
    const target = way?.kind === 'file' ? way.file : null;
    const files = new Set([...Object.keys(written), ...(target === null ? [] : [target])]);
    const wanted = files.size === 0 ? [] : await deps.wanted();
    if (wanted === null || ended) {
      return;
    }
    fault = null;
    for (const file of files) {
      const why = await one(file, file === target ? wanted : [], asked, how);
      if (why !== null && file === target) {
        fault = why;
      }
    }
    if (fault !== before) {
      log.info('contexts.fault', { fault });
      changed.tell();
    }
  };
  /** Null: it is as it should be; else why not. */
  const one = async (
    file: string,
    wanted: readonly WantedContext[],
    asked: Asked,
    how: Waiting,
  ): Promise<string | null> => {
    try {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const done = await edit(file, wanted, asked, how);
        if (done !== 'changed') {
          return done;
        }
      }
      followIn(againMilliseconds);
      return 'is being changed by another program';
    } catch (error) {
      return unchangedText(error);
    }
  };
  /** What an edit would write, and why it can’t. */
  const planned = async (file: string, wanted: readonly WantedContext[]) => {
    const merged = await deps.read([...new Set([...listOf(consent.current()), file])]);
    const found = merged.files.find(({ path }) => path === file);
    const text = found?.text ?? null;
    const [problem] = merged.problems.filter((each) => each.file === file && each.severity === 'error');
    if (found === undefined || problem) {
      return problem ? `can’t be read: ${problem.message}` : 'is another name of a file that is read already';
    }
    const before: WrittenEntries = consent.current().written[file] ?? nothingWritten();
    const base = isBlank(text ?? '') ? `${endedLine(text ?? '')}${emptyKubeconfig}` : (text ?? '');
    const value = kubeconfigValue(base);
    const { changes, written, namespaces } = planContexts(wanted, {
      file,
      value,
      merged,
      written: before,
      namespaces: consent.current().namespaces,
    });
    const elsewhere = async () =>
      dirname(file) === dirname(deps.managed)
        ? 'is in Lanyard’s own folder'
        : isKubeconfig(value)
          ? managedElsewhere(file, text, deps.homeDirectory)
          : 'is no kubeconfig';
    const edited =
      changes.length === 0 ? ({ ok: true, text: base } as const) : editKubeconfigText(base, changes);
    const fault =
      (await elsewhere()) ?? (edited.ok ? null : `can’t be edited so that all else stays: ${edited.fault}`);
    return {
      text,
      before,
      written,
      namespaces,
      changes: changes.length > 0,
      next: edited.ok ? edited.text : base,
      fault,
    };
  };
  /** Why it isn’t the moment to write the file. */
  const unsettled = async (
    file: string,
    text: string | null,
    asked: Asked,
  ): Promise<{ why: string | null; milliseconds: number } | null> => {
    if (asked === 'byUser' || text === null || text === lastText.get(file)) {
      return null;
    }
    const age = locking.clock.now() - (await stat(file)).mtimeMs;
    if (isBlank(text) && age >= 0 && age < emptyMilliseconds) {
      return { why: 'is empty: another program may be about to write it', milliseconds: againMilliseconds };
    }
    return asked === 'byNobody' && age >= 0 && age < settledMilliseconds
      ? { why: null, milliseconds: settledMilliseconds }
      : null;
  };
  const edit = async (
    file: string,
    wanted: readonly WantedContext[],
    asked: Asked,
    how: Waiting,
  ): Promise<string | 'changed' | null> => {
    const plan = await planned(file, wanted);
    if (typeof plan === 'string') {
      return plan;
    }
    const { text, before, written, namespaces, next } = plan;
    if (!plan.changes) {
      await record(file, written, namespaces);
      return null;
    }
    if (plan.fault !== null) {
      return plan.fault;
    }
    const wait = await unsettled(file, text, asked);
    if (wait) {
      followIn(wait.milliseconds);
      return wait.why;
    }
    const isRestore = JSON.stringify(written) === JSON.stringify(before);
    const since = locking.clock.boottime() - restoresMilliseconds;
    const restored = (restores.get(file) ?? []).filter((at) => at > since);
    if (isRestore && restored.length >= maxRestores) {
      followIn(againMilliseconds);
      return 'is written by another program again and again, without Lanyard’s entries';
    }
    // First, so that after a kill each entry is still known as Lanyard’s.
    await record(file, eitherWritten(before, written), namespaces);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const outcome = await writeLocked(
      { file, expected: text, text: next, mode: 0o600, signal: how.signal, onWait: how.say },
      locking,
    );
    if (!outcome.ok) {
      if (outcome.reason === 'changed') {
        return 'changed';
      }
      followIn(againMilliseconds);
      return lockedText(outcome);
    }
    if (isRestore) {
      restores.set(file, [...restored, locking.clock.boottime()]);
    }
    lastText.set(file, next);
    await record(file, written, namespaces);
    await deps.onEdited(file, text ?? '', next);
    changed.tell();
    return null;
  };
  const record = (file: string, written: WrittenEntries, namespaces: UserContextsState['namespaces']) =>
    consent.update((state) => {
      const { [file]: _, ...others } = state.written;
      return { ...state, namespaces, written: isNothing(written) ? others : { ...others, [file]: written } };
    });
  return {
    way: () => consent.current().way,
    seesManaged: () => consent.current().seesManaged,
    async saw(files) {
      const seesManaged = files.includes(deps.managed);
      if (seesManaged !== consent.current().seesManaged) {
        await consent.update((state) => ({ ...state, seesManaged }));
        changed.tell();
      }
    },
    fault: () => fault,
    async faultOf(file, what = 'adding') {
      try {
        const plan = await planned(file, what === 'adding' ? ((await deps.wanted()) ?? []) : []);
        if (typeof plan !== 'string' && what === 'removing' && !plan.changes) {
          return null;
        }
        if (typeof plan === 'string' || plan.fault !== null || plan.text === null) {
          return typeof plan === 'string' ? plan : plan.fault;
        }
        const locked = await checkUnlocked(file, locking);
        return locked && lockedText(locked);
      } catch (error) {
        return unchangedText(error);
      }
    },
    files: () =>
      Object.entries(consent.current().written).map(([file, { contexts }]) => ({
        file,
        clusters: new Set(Object.values(contexts).map((each) => each.of)).size,
      })),
    choose: (way, how) =>
      queue.run(async () => {
        restores.clear();
        await consent.update((state) => ({ ...state, way }));
        if (way.kind === 'own') {
          await deps.writeManaged();
        }
        await all('byUser', how);
        changed.tell();
      }),
    takeOut: (file, how) =>
      queue.run(async () => {
        const { way, written } = consent.current();
        if (way?.kind === 'file' && (file === null || way.file === file)) {
          await consent.update((state) => ({ ...state, way: { kind: 'none' } }));
        } else if (way?.kind === 'own' && file === null) {
          await consent.update((state) => ({ ...state, way: { kind: 'none' } }));
        }
        const faults: string[] = [];
        for (const each of file === null ? Object.keys(written) : [file]) {
          const why = await one(each, [], 'byUser', how);
          const left = Object.keys(consent.current().written[each]?.users ?? {});
          if (why !== null) {
            faults.push(`${each} ${why}`);
          } else if (left.length > 0) {
            faults.push(`${each} keeps entries that your own contexts use: ${left.join(', ')}`);
          }
        }
        fault = null;
        changed.tell();
        return faults.length === 0 ? null : faults.join('; ');
      }),
    reconcile: () =>
      queue.run(async () => {
        restores.clear();
        if (consent.current().way?.kind === 'own') {
          await deps.writeManaged();
        }
        await all('byCommand', background());
      }),
    follow: () => followIn(quietMilliseconds),
    onChange: (listener) => changed.add(listener),
    async dispose() {
      ended = true;
      await waiting?.timer.dispose();
      await queue.drain();
    },
  };
}

function unchangedText(error: unknown): string {
  const { message, hint } = toRefusal(error);
  return `can’t be changed: ${message}${hint === undefined ? '' : ` (${hint})`}`;
}

function lockedText({ message, hint }: LockedAnswer): string {
  return `is locked: ${message} (${hint})`;
}

/** Any map of keys can be read as one without entries. */
function isKubeconfig(value: unknown): boolean {
  return ['kind', 'clusters', 'users', 'contexts', 'current-context'].some((key) =>
    Object.hasOwn((value ?? {}) as object, key),
  );
}

const emptyKubeconfig = 'apiVersion: v1\nkind: Config\n';

/** Nothing, comments alone, or the mark before a document. */
function isBlank(text: string): boolean {
  return text.split(/\r?\n/).every((line) => /^\ufeff?(?:---)?\s*(?:#.*)?$/.test(line));
}

function endedLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function listOf({ way }: UserContextsState): readonly string[] {
  return way === null || way.kind === 'none' ? [] : way.list;
}

function background(): Waiting {
  return { signal: AbortSignal.timeout(lockMilliseconds), say: () => undefined };
}
