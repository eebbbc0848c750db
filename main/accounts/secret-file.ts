import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Secret } from '../base/secret.ts';
import { untilFree } from '../base/until-free.ts';
import type { AccessLists } from '../ports/access-lists.ts';

export const secretFileLimitBytes = 1024 * 1024;

/** A file that holds a credential, as it was at one moment. */
export interface SecretFile {
  ok: true;
  text: Secret;
  /** Changes whenever the file's content may have changed. */
  version: string;
  /** Users other than its owner may read it. */
  readByOthers: boolean;
}

/** Why a file could not be read; `message` is a sentence's end: `<path> <message>`. */
export interface SecretFileProblem {
  ok: false;
  problem: 'missing' | 'forbidden' | 'notAFile' | 'tooLarge' | 'notUtf8' | 'unreadable';
  message: string;
}

/** Reads files that hold credentials; what is unchanged since the last reading isn't read again. */
export interface SecretFileReader {
  read(path: string): Promise<SecretFile | SecretFileProblem>;
}

/**
 * The reader over the real file system. Remembers the last good reading of each path, in memory. `access`: null where
 * modes count, or who else may read isn’t asked for.
 */
export function createSecretFileReader(access: AccessLists | null = null): SecretFileReader {
  const known = new Map<string, SecretFile>();
  return {
    async read(path) {
      try {
        const before = known.get(path);
        if (before && before.version === version(await stat(path, { bigint: true }))) {
          return before;
        }
        const found = await readNow(path, access);
        if (found.ok) {
          known.set(path, found);
        } else {
          known.delete(path);
        }
        return found;
      } catch (error) {
        known.delete(path);
        return problemOf(error);
      }
    },
  };
}

/** Another program may just be writing it. */
const heldMilliseconds = 1_000;

async function readNow(path: string, access: AccessLists | null): Promise<SecretFile | SecretFileProblem> {
  // Opening a device or a pipe has an effect: a writer that waits there would lose what it writes.
  if (!(await stat(path)).isFile()) {
    return fail('notAFile', 'is not a file');
  }
  // O_NONBLOCK: a FIFO put in the file's place must not hold the broker up.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await untilFree(() => open(path, flags), { limitMilliseconds: heldMilliseconds });
  try {
    const facts = await handle.stat({ bigint: true });
    if (!facts.isFile()) {
      return fail('notAFile', 'is not a file');
    }
    const bytes = await readBounded(handle);
    if (bytes === null) {
      return fail('tooLarge', 'is larger than 1 MiB');
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const readByOthers = isReadByOthers(path, facts, access);
    return { ok: true, text: new Secret(text), version: version(facts), readByOthers };
  } finally {
    await handle.close();
  }
}

/** Where Windows doesn’t tell it is no finding. */
function isReadByOthers(path: string, { mode }: { mode: bigint }, access: AccessLists | null): boolean {
  if (process.platform !== 'win32') {
    return (mode & 0o044n) !== 0n;
  }
  try {
    return access?.isOpen(path) === true;
  } catch {
    return false;
  }
}

/** Reads to the end, whatever size the file said it had; null beyond the limit. */
async function readBounded(handle: FileHandle): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  for (let length = 0; length <= secretFileLimitBytes; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(64 * 1024));
    if (bytesRead === 0) {
      return Buffer.concat(pieces);
    }
    pieces.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return null;
}

function version(facts: {
  dev: bigint;
  ino: bigint;
  size: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
}): string {
  return [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(':');
}

function problemOf(error: unknown): SecretFileProblem {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return fail('missing', 'does not exist');
    case 'EACCES':
    case 'EPERM':
      return fail('forbidden', 'may not be read by lanyard');
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return fail('notUtf8', 'is not UTF-8 text');
    default:
      return fail('unreadable', `can’t be read (${code ?? 'unknown error'})`);
  }
}

function fail(problem: SecretFileProblem['problem'], message: string): SecretFileProblem {
  return { ok: false, problem, message };
}
