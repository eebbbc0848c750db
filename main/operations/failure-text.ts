import { exactReason } from './call-result.ts';
import { shown } from './event-text.ts';

/** By the last part of the code, for each group of codes that it is true of. */
const parts: readonly (readonly [group: RegExp, texts: ReadonlyMap<string, string>])[] = [
  [
    /^oidc\./,
    new Map([
      ['timeout', 'the provider did not answer in time'],
      ['unreachable', 'the provider can’t be reached'],
      ['unknownHost', 'the provider’s host can’t be resolved'],
      ['unknownAuthority', 'the provider’s certificate is of an unknown authority'],
      ['wrongHostName', 'the provider’s certificate is for another host'],
      ['certificateDates', 'the provider’s certificate is not valid now'],
      ['broken', 'the provider closed the connection'],
      ['status', 'the provider answered with an error'],
      ['error', 'the provider refused'],
      ['rejected', 'the provider does not accept the client'],
      ['ended', 'log in again'],
      ['portsTaken', 'no port was free for the login'],
    ]),
  ],
  [
    /^(execPlugin|credentialProvider|awsProcess|requestSigner)\./,
    new Map([
      ['timedOut', 'it did not answer in time'],
      ['notFound', 'its program was not found'],
      ['notExecutable', 'its program can’t be run'],
      ['notStarted', 'its program could not be started'],
      ['signalled', 'a signal ended it'],
      ['interrupted', 'it was interrupted at the terminal'],
      ['tooLarge', 'it wrote too much'],
      ['noTerminal', 'it needs a terminal'],
      ['secretMissing', 'its secret is missing'],
    ]),
  ],
];

/**
 * Why something failed, to end its sentence: `: the provider can’t be reached`. A code without words stands in
 * parentheses, after `otherwise` where that says more than nothing.
 */
export function failureText(code: string | null, otherwise = ''): string {
  if (code === null) {
    return '';
  }
  const last = code.slice(code.lastIndexOf('.') + 1);
  const words = exactReason(code) ?? parts.find(([group]) => group.test(code))?.[1].get(last);
  return words === undefined ? `${otherwise && `: ${otherwise}`} (${shown(code)})` : `: ${words}`;
}
