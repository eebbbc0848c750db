import { BrokerError } from '../contract/broker-error.ts';

const known: Record<string, { what: string; message: string; hint: (home: string) => string }> = {
  ENOSPC: { what: 'diskFull', message: 'the disk is full', hint: (home) => `free some space under ${home}` },
  EDQUOT: {
    what: 'diskFull',
    message: 'the disk quota is used up',
    hint: (home) => `free some space under ${home}`,
  },
  EFBIG: {
    what: 'diskFull',
    message: 'files may not grow that large here',
    hint: (home) => `look at the limits of ${home}’s file system and of the agent (ulimit -f)`,
  },
  EROFS: {
    what: 'readOnly',
    message: 'the file system is read-only',
    hint: (home) => `make ${home} writable, or set LANYARD_HOME to another folder`,
  },
  EACCES: {
    what: 'notPermitted',
    message: 'the system doesn’t permit it',
    hint: (home) => `look at the owner and mode of ${home}`,
  },
  EPERM: {
    what: 'notPermitted',
    message: 'the system doesn’t permit it',
    hint: (home) => `look at the owner and mode of ${home}`,
  },
  EBUSY: {
    what: 'held',
    message: 'another program has its file open',
    hint: (home) => `see which program reads ${home}: a backup, or an antivirus`,
  },
  EIO: {
    what: 'io',
    message: 'the disk reports an error',
    hint: (home) => `save a copy of ${home} and check the disk`,
  },
  ENOENT: {
    what: 'homeMissing',
    message: 'its folder is gone',
    hint: (home) => `make ${home} again, then restart`,
  },
  EEXIST: {
    what: 'exists',
    message: 'another one is already there',
    hint: (home) => `look at what is in ${home}; lanyard unlock reads it again`,
  },
};

/** Node’s `code` of a failed system call, or null. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/**
 * A failed write as `vault.diskFull`, `vault.readOnly`, `vault.notPermitted`, `vault.io`, … Its hint is the next step.
 */
export function writeError(error: unknown, home: string): BrokerError {
  const code = systemCode(error);
  const found = code === null ? undefined : known[code];
  return new BrokerError(
    `vault.${found?.what ?? 'writeFailed'}`,
    `the vault can’t be written: ${found?.message ?? code ?? 'something unexpected happened'}`,
    { hint: found?.hint(home) ?? `look at ${home}`, cause: error },
  );
}
