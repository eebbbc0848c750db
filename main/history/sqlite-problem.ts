import { BrokerError } from '../contract/broker-error.ts';

/** Result codes: https://www.sqlite.org/rescode.html. The low byte is the kind, the complete value the detail. */
const readOnly = 8;
const inputOutput = 10;
const full = 13;
const cantOpen = 14;
const busy = 5;
const locked = 6;
/**
 * SQLite’s results for a file that isn’t as it was written: a generic error (a table is missing), corrupt, not a
 * database; a truncated file; an id that is taken although it is beyond the highest. Violating another constraint of
 * the schema is the statement’s fault, and no reason to set the file aside.
 */
const damagedKinds = new Set([1, 11, 26]);
const damagedDetails = new Set([522, 1555, 2579]);

/** Whether the file itself is at fault: then it is set aside, and a new one begun. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) {
    return false;
  }
  const result = resultOf(error);
  // A number that no count of Lanyard’s can reach.
  return (
    error.code === 'ERR_OUT_OF_RANGE' ||
    (result !== null && (damagedKinds.has(result & 0xff) || damagedDetails.has(result)))
  );
}

/** A failed write or reading as `history.diskFull`, `history.readOnly`, … with the next step. */
export function historyProblem(error: unknown, file: string): BrokerError {
  if (error instanceof BrokerError) {
    return error;
  }
  const { what, message, hint } = describe(error, file);
  return new BrokerError(
    `history.${what}`,
    `the history can’t be written (${message}), and without it nothing is issued`,
    { hint, cause: error },
  );
}

function describe(error: unknown, file: string): { what: string; message: string; hint: string } {
  const look = `look at ${file}`;
  switch ((resultOf(error) ?? 0) & 0xff) {
    case full:
      return { what: 'diskFull', message: 'the disk is full', hint: `free some space for ${file}` };
    case inputOutput:
      return {
        what: 'io',
        message: 'the disk takes no more: full, a limit on file sizes, or failing',
        hint: `free some space for ${file}, look at the agent’s limits (ulimit -f), or check the disk`,
      };
    case readOnly:
      return { what: 'readOnly', message: 'it is read-only', hint: `make ${file} writable` };
    case cantOpen:
      return {
        what: 'cantOpen',
        message: 'the system doesn’t permit it',
        hint: `look at the owner and mode of ${file}`,
      };
    case busy:
    case locked:
      return { what: 'busy', message: 'another program has it open', hint: `close what has ${file} open` };
    default:
      return systemFault(error) ?? { what: 'failed', message: 'something unexpected happened', hint: look };
  }
}

const systemFaults: Readonly<Record<string, { what: string; message: string }>> = {
  ENOSPC: { what: 'diskFull', message: 'the disk is full' },
  EDQUOT: { what: 'diskFull', message: 'the disk quota is used up' },
  EROFS: { what: 'readOnly', message: 'the file system is read-only' },
  EACCES: { what: 'cantOpen', message: 'the system doesn’t permit it' },
  EPERM: { what: 'cantOpen', message: 'the system doesn’t permit it' },
  ENOENT: { what: 'homeMissing', message: 'its folder is gone' },
};

function systemFault(error: unknown): { what: string; message: string; hint: string } | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const found = Object.hasOwn(systemFaults, code) ? systemFaults[code] : undefined;
  const path = error instanceof Error && 'path' in error ? String(error.path) : 'its folder';
  return found ? { ...found, hint: `look at ${path}` } : null;
}

function resultOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : null;
}
