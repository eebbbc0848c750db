import { BrokerError, toRefusal } from '../../main/contract/broker-error.ts';
import { sentence } from '../../main/contract/ui/sentence.ts';

const nothingChanged = 'nothing was changed; download the new version manually, or try again later';

/** The failures of an update, with texts that say what to do. */
export const failures = {
  unreachable: (cause: unknown) =>
    new BrokerError('update.unreachable', 'can’t reach the update server', {
      reason: 'provider',
      hint: 'check the network and its proxy, then try again',
      cause,
    }),
  timedOut: () =>
    new BrokerError('update.timedOut', 'the place with newer versions doesn’t answer', {
      reason: 'timedOut',
      hint: 'try again later',
    }),
  answer: (status: number) =>
    new BrokerError('update.answer', `the place with newer versions answers with an error (${status})`, {
      reason: 'provider',
      hint: 'try again later',
    }),
  tooLarge: () =>
    new BrokerError('update.tooLarge', 'the place with newer versions sends more than it should', {
      reason: 'provider',
      hint: nothingChanged,
    }),
  unsigned: () =>
    new BrokerError('update.unsigned', 'what is offered as a newer version isn’t signed with Lanyard’s key', {
      reason: 'notPermitted',
      hint: nothingChanged,
    }),
  unreadable: (cause: unknown) =>
    new BrokerError('update.manifest', 'the list of newer versions can’t be read', {
      reason: 'provider',
      hint: nothingChanged,
      cause,
    }),
  replayed: (offered: string, highest: string) =>
    new BrokerError(
      'update.replayed',
      `version ${offered} is offered, but ${highest} was before: the newer version may be withheld`,
      { reason: 'notPermitted', hint: nothingChanged },
    ),
  noPackage: (version: string) =>
    new BrokerError('update.noPackage', `there is no package of version ${version} for this system`, {
      reason: 'notFound',
      hint: 'try again later',
    }),
  otherFile: (cause?: unknown) =>
    new BrokerError('update.otherFile', 'the fetched file is not the one that was signed', {
      reason: 'notPermitted',
      hint: 'it was thrown away; check for updates again',
      cause,
    }),
  notKept: (cause: unknown) =>
    new BrokerError(
      'update.notKept',
      `the update can’t be kept (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`,
      {
        hint: 'make room on the disk, then try again',
        cause,
      },
    ),
  notInstalled: (cause: unknown) =>
    new BrokerError('update.notInstalled', 'the update was not installed', {
      hint: 'Lanyard goes on as it is; try again, or install the new version from where you got this one',
      cause,
    }),
  busy: (clause: string) =>
    new BrokerError('update.busy', `not now: ${clause}`, {
      reason: 'notPermitted',
      hint: 'install the update when that is done',
    }),
  off: () =>
    new BrokerError('update.off', 'this build does not look for newer versions', {
      reason: 'usage',
      hint: 'update it the way it was installed',
    }),
  none: () =>
    new BrokerError('update.none', 'there is no update to go on with', {
      reason: 'usage',
      hint: 'check for updates first',
    }),
} as const;

/** The texts of an error as sentences, for a page. */
export function inWords(error: unknown): string {
  const { message, hint } = toRefusal(error);
  return [message, hint]
    .filter((each) => each !== undefined)
    .map(sentence)
    .join(' ');
}
