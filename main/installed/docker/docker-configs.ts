import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Secret } from '../../base/secret.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { untilFree } from '../../base/until-free.ts';
import { fileLimitBytes, readBoundedBytes } from '../../config/read-bounded.ts';
import { namesOf, writeError } from '../../config/write-durably.ts';
import {
  checkNames,
  type ExpectedWrite,
  type FileWords,
  holds,
  isSystemError,
  removeTemporary,
  writeExpected,
} from '../../config/write-expected.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { dockerHelperName } from '../../contract/program-names.ts';
import type { RegistryServer } from '../../domain/image/registry-server.ts';
import { withLogins } from '../../domain/image/stored-logins.ts';
import type { UndoneEdit } from '../../domain/undone-edit.ts';
import type { Recorder } from '../../ports/history.ts';
import type { DockerConfigEdit, Vault } from '../../ports/vault.ts';
import { makeFolders, type PlaceDeps } from '../place.ts';
import { type DockerConfig, parseDockerConfig } from './docker-config.ts';
import { editDockerConfig } from './edit-docker-config.ts';
import { type Asked, type DockerPlan, namesLanyard, planDocker, planTakingBack } from './plan-docker.ts';
import { undoneDocker } from './undone-docker.ts';

export interface DockerConfigsDeps extends PlaceDeps {
  vault: Pick<Vault, 'read' | 'state' | 'update'>;
  recorder: Pick<Recorder, 'record'>;
  /** The registry of config.yaml that answers for the server; null: none. */
  configured(server: RegistryServer): string | null;
  /** The credential helper that Lanyard asks where it has nothing, approved; null: none. */
  fallback(): string | null;
}

export interface DockerInstalled {
  plan: DockerPlan;
  /** The file is changed, or would be. */
  changes: boolean;
  /** Why `install` would be refused now, such as another store that Lanyard doesn’t ask; null: it would not. */
  fault: BrokerError | null;
}

export interface DockerUndone {
  /**
   * `restored`: byte for byte as before; `removed`: there was no file before; `takenBack`: it was changed since, and
   * only Lanyard’s keys are gone; `gone`: there is no file any more; `asBefore`: it was as before already.
   */
  how: 'restored' | 'removed' | 'takenBack' | 'gone' | 'asBefore';
}

export interface DockerState {
  config: DockerConfig | null;
  /** Null: Lanyard didn’t edit it. */
  edit: DockerConfigEdit | null;
  /** It is not what Lanyard wrote last. */
  changedSince: boolean;
  /** What other programs undid of the edit; null: nothing that counts. */
  undone: UndoneEdit | null;
  /** It names Lanyard, or Lanyard has on record what it was: `undo` has something to do. */
  canUndo: boolean;
}

/** docker’s config.json files that name Lanyard. All but `state` run one at a time. */
export interface DockerConfigs {
  /** Throws BrokerError where the file can’t be read. */
  state(file: string): Promise<DockerState>;
  /** What `install` would do. */
  plan(file: string, asked: Asked): Promise<DockerInstalled>;
  /**
   * The file’s text and its logins are in the vault, in one durable write, before a byte of the file changes
   * (rule: nothing-lost, reversible-edits).
   */
  install(file: string, asked: Asked): Promise<DockerInstalled>;
  /** Of a file without a record only Lanyard’s keys are taken out; a store that Lanyard asks is named again. */
  undo(file: string): Promise<DockerUndone>;
  /** Those that were not undone yet. */
  list(): Promise<readonly { file: string; changedSince: boolean }[]>;
  /** What other programs undid. Empty while the vault isn’t open. */
  undone(): Promise<readonly UndoneEdit[]>;
}

const words: FileWords = {
  area: 'docker',
  foreignHint: 'only your own files are edited: copy it, and set DOCKER_CONFIG to the copy’s folder',
};

export function createDockerConfigs(deps: DockerConfigsDeps): DockerConfigs {
  const queue = new SerialQueue();
  const { vault, recorder } = deps;
  const editOf = (file: string) => {
    const { dockerConfigs } = vault.read();
    return Object.hasOwn(dockerConfigs, file) ? (dockerConfigs[file] ?? null) : null;
  };

  const prepare = async (file: string, asked: Asked) => {
    const text = await readText(file);
    const config = parsed(file, text ?? '');
    const { registryLogins } = vault.read();
    const plan = planDocker(config, {
      asked,
      stored: registryLogins,
      configured: deps.configured,
      own: editOf(file)?.credHelpers ?? [],
      fallback: deps.fallback(),
    });
    withLogins(registryLogins, loginsOf(plan));
    const written = editDockerConfig(config, plan.changes);
    return { text, config, plan, written, changes: written !== (text ?? '') };
  };

  const install = async (file: string, asked: Asked): Promise<DockerInstalled> => {
    const { text, config, plan, written, changes } = await prepare(file, asked);
    if (!changes) {
      return { plan, changes, fault: null };
    }
    const fault = lostStore(file, plan, deps.fallback());
    if (fault) {
      throw fault;
    }
    const earlier = editOf(file);
    const base = await baseOf(file, text, config, earlier);
    const edit: DockerConfigEdit = {
      ...base,
      at: earlier?.at ?? deps.now(),
      written: [...base.written, digestOf(written)],
      credsStore: base.credsStore || plan.changes.credsStore !== undefined,
      credHelpers: [...new Set([...base.credHelpers, ...Object.keys(plan.changes.credHelpers)])].filter(
        (key) => plan.changes.credHelpers[key] !== null,
      ),
    };
    await guarded(file, async () => {
      await checkFile(file);
      await vault.update((content) => {
        for (const { key, login } of plan.logins) {
          const now = Object.hasOwn(content.registryLogins, key) ? content.registryLogins[key] : undefined;
          if (now && (now.userName !== login.userName || now.secret.reveal() !== login.secret.reveal())) {
            throw changedMeanwhile(file);
          }
        }
        return {
          ...content,
          registryLogins: withLogins(content.registryLogins, loginsOf(plan)),
          dockerConfigs: { ...content.dockerConfigs, [file]: edit },
        };
      });
      await makeFolders(dirname(file), deps);
      if (!(await replace({ file, expected: text, text: written, mode: 0o600 }))) {
        await remember(file, earlier);
        throw changedMeanwhile(file);
      }
    });
    recorder.record({ kind: 'change', what: 'docker.install', name: file });
    return { plan, changes, fault: null };
  };

  const remember = (file: string, edit: DockerConfigEdit | null) =>
    vault.update((content) => {
      const { [file]: _, ...others } = content.dockerConfigs;
      return { ...content, dockerConfigs: edit === null ? others : { ...others, [file]: edit } };
    });

  /** A file that names Lanyard, with nothing on record of what it was, as after `lanyard vault reset`; null: it doesn’t. */
  const unrecorded = async (file: string): Promise<DockerConfigEdit | null> => {
    const text = await readText(file);
    const config = text === null ? null : parsed(file, text);
    if (config === null || !namesLanyard(config)) {
      return null;
    }
    const fallback = deps.fallback();
    return {
      at: deps.now(),
      mode: (await stat(file)).mode & 0o7777,
      before: fallback === null ? null : new Secret(JSON.stringify({ credsStore: fallback })),
      written: [],
      credsStore: true,
      credHelpers: Object.keys(config.credHelpers).filter(
        (key) => config.credHelpers[key] === dockerHelperName,
      ),
    };
  };

  const undo = async (file: string): Promise<DockerUndone> => {
    const edit = editOf(file) ?? (await unrecorded(file));
    if (!edit) {
      throw new BrokerError('docker.notInstalled', `Lanyard has changed nothing in ${file}`, {
        reason: 'notFound',
      });
    }
    const done = await guarded(file, () => undoFile(file, edit));
    await remember(file, null);
    recorder.record({ kind: 'change', what: 'docker.undo', name: file });
    return done;
  };

  return {
    state: async (file) => {
      const edit = editOf(file);
      const text = await readText(file);
      const config = text === null ? null : parsed(file, text);
      return {
        config,
        edit,
        undone: edit === null ? null : undoneDocker(file, config, edit, vault.read().registryLogins),
        canUndo: edit !== null || (config !== null && namesLanyard(config)),
        changedSince: edit !== null && (text === null || !isOurs(text, edit)),
      };
    },
    undone: async () => {
      if (vault.state().kind !== 'open') {
        return [];
      }
      const { dockerConfigs, registryLogins } = vault.read();
      const found = await Promise.all(
        Object.entries(dockerConfigs).map(async ([file, edit]) => {
          const text = await readText(file).catch(() => undefined);
          if (text === undefined || (text !== null && isOurs(text, edit))) {
            return null;
          }
          const config = text === null ? null : parseDockerConfig(text);
          // docker itself says what is wrong with a file that can’t be read, and so does doctor.
          return config?.ok === false
            ? null
            : undoneDocker(file, config?.config ?? null, edit, registryLogins);
        }),
      );
      return found.filter((each) => each !== null);
    },
    plan: async (file, asked) => {
      const { plan, changes } = await prepare(file, asked);
      await guarded(file, () => checkFile(file));
      return { plan, changes, fault: changes ? lostStore(file, plan, deps.fallback()) : null };
    },
    install: (file, asked) => queue.run(() => install(file, asked)),
    undo: (file) => queue.run(() => undo(file)),
    list: () =>
      Promise.all(
        Object.entries(vault.read().dockerConfigs).map(async ([file, edit]) => {
          const text = await readText(file).catch(() => null);
          return { file, changedSince: text === null || !isOurs(text, edit) };
        }),
      ),
  };
}

/** What the file goes back to: for one that was changed since an earlier edit, itself without Lanyard’s keys. */
async function baseOf(
  file: string,
  text: string | null,
  config: DockerConfig,
  earlier: DockerConfigEdit | null,
): Promise<Pick<DockerConfigEdit, 'mode' | 'before' | 'written' | 'credsStore' | 'credHelpers'>> {
  if (earlier && text !== null && isOurs(text, earlier)) {
    return earlier;
  }
  const mode = text === null ? 0o600 : (await stat(file)).mode & 0o7777;
  const fresh = { mode, written: [], credsStore: false, credHelpers: [] };
  if (!earlier || text === null || text === earlier.before?.reveal()) {
    return { ...fresh, before: text === null ? null : new Secret(text) };
  }
  const changes = planTakingBack(config, beforeOf(file, earlier), earlier);
  return {
    ...fresh,
    before: new Secret(editDockerConfig(config, changes)),
    credsStore: changes.credsStore !== undefined,
    credHelpers: Object.keys(changes.credHelpers),
  };
}

async function undoFile(file: string, edit: DockerConfigEdit): Promise<DockerUndone> {
  const now = await readText(file);
  const before = edit.before?.reveal() ?? null;
  if (now === null) {
    return { how: before === null ? 'asBefore' : 'gone' };
  }
  const { target } = await namesOf(file);
  await checkFile(file);
  if (now === before) {
    await removeTemporary(target);
    return { how: 'asBefore' };
  }
  if (isOurs(now, edit) && before === null) {
    if (!(await holds(target, now))) {
      throw changedMeanwhile(file);
    }
    await untilFree(() => unlink(target));
    return { how: 'removed' };
  }
  const text =
    isOurs(now, edit) && before !== null
      ? before
      : editDockerConfig(parsed(file, now), planTakingBack(parsed(file, now), beforeOf(file, edit), edit));
  if (text !== now && !(await replace({ file, expected: now, text, mode: edit.mode }))) {
    throw changedMeanwhile(file);
  }
  return { how: text === before ? 'restored' : 'takenBack' };
}

function beforeOf(file: string, { before }: DockerConfigEdit): DockerConfig | null {
  return before === null ? null : parsed(file, before.reveal());
}

function isOurs(text: string, { written }: DockerConfigEdit): boolean {
  return written.includes(digestOf(text));
}

async function checkFile(file: string): Promise<void> {
  const names = await namesOf(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return null;
    }
    throw error;
  });
  if (names) {
    await checkNames(file, names, words);
  }
}

async function replace(write: ExpectedWrite): Promise<boolean> {
  return writeExpected(write, (await namesOf(write.file)).all, words);
}

async function guarded<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isSystemError(error) ? writeError(file, error) : error;
  }
}

async function readText(file: string): Promise<string | null> {
  const read = await readBoundedBytes(file, fileLimitBytes);
  if (read?.ok && isUtf8(read.bytes)) {
    return read.bytes.toString('utf8');
  }
  if (read === null) {
    return null;
  }
  throw unreadable(file, read.ok ? 'is not UTF-8 text' : read.why);
}

function parsed(file: string, text: string): DockerConfig {
  const found = parseDockerConfig(text);
  if (!found.ok) {
    throw unreadable(file, found.fault);
  }
  return found.config;
}

function unreadable(file: string, why: string): BrokerError {
  return new BrokerError('docker.unreadable', `${file} ${why}; it is unchanged`, {
    reason: 'usage',
    hint: 'correct the file and try again',
  });
}

function changedMeanwhile(file: string): BrokerError {
  return new BrokerError(
    'docker.changed',
    `${file} was changed by another program meanwhile; it was left as it is`,
    {
      reason: 'denied',
      hint: 'try again',
    },
  );
}

/** Logins in another store would not be found any more, unless Lanyard asks it. */
function lostStore(file: string, { wraps, adopts }: DockerPlan, fallback: string | null): BrokerError | null {
  const lost = wraps !== null && wraps !== fallback ? wraps : (adopts[0]?.helper ?? null);
  return lost === null
    ? null
    : new BrokerError(
        'docker.otherStore',
        `${file} names the credential store ${JSON.stringify(lost)}, which Lanyard doesn’t ask: docker would no longer find the logins in it`,
        {
          reason: 'notPermitted',
          hint: 'approve that helper on a terminal: lanyard docker install',
        },
      );
}

function loginsOf({ logins }: DockerPlan): Record<string, DockerPlan['logins'][number]['login']> {
  return Object.fromEntries(logins.map(({ key, login }) => [key, login]));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
