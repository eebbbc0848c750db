import { BrokerError } from '../../contract/broker-error.ts';

/** A process that may not be the client, and lives as long as its system or session: the token ends before it. */
const hour = 3_600_000;

/**
 * For how many milliseconds a way in is good (rule: way-in); null: as long as the process lives. Throws for a process
 * that isn't the client, or is another user's: BrokerError `proxy.adopted`, `proxy.otherUser`.
 */
export function wayInMilliseconds(
  { pid, kinship }: { pid: number; kinship?: 'child' | 'adopted' | 'unclear' },
  facts: { isOwn: boolean; isInit: boolean } | null,
): number | null {
  if (kinship === 'adopted') {
    throw new BrokerError(
      'proxy.adopted',
      'the program that ran this command has ended, so there is no process that a proxy token could be for',
      {
        reason: 'notPermitted',
        hint: 'let that program wait for the command, and for kubectl: a script that starts it in the background must not exit first',
      },
    );
  }
  if (!facts?.isOwn) {
    throw new BrokerError(
      'proxy.otherUser',
      'the program that ran this command belongs to another user, and a proxy token is for a program of your own',
      { reason: 'notPermitted', hint: 'run kubectl as yourself, from your own shell' },
    );
  }
  return facts.isInit || pid === 1 || kinship === 'unclear' ? hour : null;
}
