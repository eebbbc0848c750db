import type { RequestSignerConfig } from '../../contract/config/accounts/request-signer.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { noProgramText } from '../../domain/program/program.ts';
import { visibleLine, visibleText } from '../../domain/text/visible-text.ts';
import { withoutSecret } from '../../domain/text/without-secret.ts';
import type { MissingProgram } from '../../ports/plugin-programs.ts';
import type { RequestToSign } from '../../ports/request-signers.ts';
import { endOfRun } from '../plugins/end-of-run.ts';
import type { ProgramEnd } from './signing-program.ts';

/** Whose program it is. */
export interface Signer {
  name: string;
  config: Pick<RequestSignerConfig, 'command' | 'timeoutSeconds'>;
}

/** The most of a program’s own words. */
const shownCharacters = 600;

/** `the signer corp (/opt/sign)`, at the beginning of messages. */
function signerText({ name, config }: Signer): string {
  return `the signer ${name} (${visibleText(config.command, 200)})`;
}

function more({ name }: Signer): string {
  return `lanyard plugin show ${name} has what it wrote to stderr`;
}

export function missingProgram(signer: Signer, found: MissingProgram): Refusal {
  const what = found.kind === 'missing' ? 'there is no such program' : noProgramText(found);
  return refuse(
    'provider',
    found.kind === 'missing' ? 'requestSigner.notFound' : 'requestSigner.notExecutable',
    `${signerText(signer)} can’t be run: ${what}`,
    `install it, or change the command of the account ${signer.name} in config.yaml`,
  );
}

/** Why its program runs no more. */
export function endRefusal(signer: Signer, end: ProgramEnd): Refusal {
  const { timeoutSeconds: seconds } = signer.config;
  switch (end.why) {
    case 'late':
      return refuse(
        'timedOut',
        'requestSigner.late',
        `${signerText(signer)} did not answer in time (${seconds} s for one request), and was ended; the next request starts it anew`,
        more(signer),
      );
    case 'fault':
      return refuse(
        'provider',
        'requestSigner.answer',
        `${signerText(signer)} was ended: ${end.fault}`,
        more(signer),
      );
    case 'stopped':
      return refuse('provider', 'requestSigner.stopped', `${signerText(signer)} was ended`, 'try again');
    case 'ended': {
      const [code, what] = endOfRun(end.outcome, { size: 'it may', seconds });
      return refuse(
        'provider',
        `requestSigner.${code === 'failed' ? 'ended' : code}`,
        `${signerText(signer)} ended before it answered: ${what}`,
        more(signer),
      );
    }
  }
}

/** What the program says to the person, without what it was told of credentials. */
export function ownRefusal(signer: Signer, text: string, { headers }: RequestToSign): Refusal {
  // First, for each value is looked for in it.
  const short = text.slice(0, shownCharacters);
  const shown = headers.reduce((said, [, value]) => withoutSecret(said, value), short);
  return refuse(
    'provider',
    'requestSigner.refused',
    `${signerText(signer)} refuses: ${visibleLine(visibleText(shown, shownCharacters)) || 'it doesn’t say why'}`,
  );
}

/** `fault`: what it did. */
export function headersRefusal(signer: Signer, fault: string): Refusal {
  return refuse(
    'provider',
    'requestSigner.header',
    `${signerText(signer)} ${fault}`,
    'correct the program: docs/request-signers.md',
  );
}

export function busyRefusal(signer: Signer, most: number): Refusal {
  return refuse(
    'provider',
    'requestSigner.busy',
    `${signerText(signer)} has ${most} requests to sign already`,
  );
}
