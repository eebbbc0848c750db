import { exactReason } from './call-result.ts';

interface Group {
  of: RegExp;
  /** By the last part of the code. */
  texts: ReadonlyMap<string, string>;
  /** For any other code of the group; empty: the sentence says it all. */
  other: string;
}

/** Of a secret that is set, or is in a file. */
const secretTexts = [
  ['missing', 'its secret is missing'],
  ['secretMissing', 'its secret is missing'],
  ['certificateMissing', 'its certificate is missing'],
  ['keyMissing', 'its key is missing'],
  ['expired', 'it has expired'],
  ['notYetValid', 'it isn’t valid yet'],
  ['unreadable', 'its file can’t be read'],
] as const;

/** The first that fits counts. Every code has words: the code itself is in the event’s details, and in JSON. */
const groups: readonly Group[] = [
  { of: /^oidc\.(session|refresh)\./, texts: new Map(), other: 'log in again' },
  {
    of: /^oidc\.client\./,
    texts: new Map([
      ['rejected', 'the provider does not accept the client'],
      ['secretMissing', 'its secret is missing'],
    ]),
    other: 'its client’s key, certificate or assertion can’t be used',
  },
  {
    of: /^oidc\./,
    texts: new Map([
      ['timeout', 'the provider did not answer in time'],
      ['unreachable', 'the provider can’t be reached'],
      ['unknownHost', 'the provider’s host can’t be resolved'],
      ['unknownAuthority', 'the provider’s certificate is of an unknown authority'],
      ['wrongHostName', 'the provider’s certificate is for another host'],
      ['certificateDates', 'the provider’s certificate is not valid now'],
      ['broken', 'the provider closed the connection'],
      ['status', 'the provider answered with an error'],
      ['error', 'the provider refused'],
      ['ended', 'log in again'],
      ['expired', 'it was not finished in time'],
      ['portsTaken', 'no port was free for the login'],
    ]),
    other: 'the provider’s answer can’t be used',
  },
  {
    of: /^(execPlugin|credentialProvider|credentialHelper|awsProcess|requestSigner)\./,
    texts: new Map([
      ...secretTexts,
      ['timedOut', 'it did not answer in time'],
      ['notFound', 'its program was not found'],
      ['notExecutable', 'its program can’t be run'],
      ['notStarted', 'its program could not be started'],
      ['signalled', 'a signal ended it'],
      ['interrupted', 'it was interrupted at the terminal'],
      ['tooLarge', 'it wrote too much'],
      ['noTerminal', 'it needs a terminal'],
    ]),
    other: '',
  },
  {
    of: /^pkcs11\./,
    texts: new Map([
      ...secretTexts,
      ['tokenMissing', 'the token is not there'],
      ['pinNeeded', 'the token’s PIN is needed'],
      ['noPin', 'the token’s PIN is needed'],
      ['pinWrong', 'the PIN was wrong'],
      ['pinLocked', 'the PIN is locked'],
      ['late', 'the token did not answer in time'],
      ['cancelled', 'the login was cancelled'],
    ]),
    other: 'the token can’t be used',
  },
  { of: /^aws\.sts\.unreachable$/, texts: new Map(), other: 'AWS can’t be reached' },
  { of: /^aws\.sts\./, texts: new Map(), other: 'AWS refused' },
  { of: /^secretReader\.unreachable$/, texts: new Map(), other: 'the hub can’t be reached' },
  { of: /^vault\./, texts: new Map(), other: 'the vault can’t be used' },
  { of: /^grant\.expiredAtBirth$/, texts: new Map(), other: 'what came had expired already' },
  { of: /^grant\.timeout$/, texts: new Map(), other: 'there was no answer in time' },
  { of: /./, texts: new Map(secretTexts), other: '' },
];

/**
 * Why something failed, to end its sentence: `: the provider can’t be reached`. `otherwise`: for a plugin’s failure that
 * no code says more of.
 */
export function failureText(code: string | null, otherwise = ''): string {
  if (code === null) {
    return '';
  }
  const group = groups.find(({ of }) => of.test(code));
  const last = code.slice(code.lastIndexOf('.') + 1);
  const words = exactReason(code) ?? group?.texts.get(last) ?? (otherwise || group?.other) ?? '';
  return words === '' ? '' : `: ${words}`;
}
