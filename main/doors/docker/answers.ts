import { exitCodes } from '../../contract/exit-codes.ts';
import { notFoundText } from '../../domain/image/helper-answer.ts';
import type { DoorAnswer } from '../../ports/door.ts';

/**
 * Texts that docker, podman and oras compare, exactly as in docker-credential-helpers’ credentials package. The first
 * stands alone: oras takes no other word beside it.
 */
const texts = {
  notFound: notFoundText,
  noServer: 'no credentials server URL',
  noUser: 'no credentials username',
} as const;

/** The protocol has only 0 and 1, and its errors go to stdout. */
export function protocolError(what: keyof typeof texts): DoorAnswer {
  return { code: exitCodes.internal, stdout: `${texts[what]}\n` };
}

export function answered(stdout = ''): DoorAnswer {
  return stdout === '' ? { code: exitCodes.good } : { code: exitCodes.good, stdout };
}
