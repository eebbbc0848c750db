import { createHash, X509Certificate } from 'node:crypto';
import { readAnswer } from '../../../main/accounts/exec-plugin/rules/read-answer.ts';
import { Secret } from '../../../main/base/secret.ts';
import { splitPem } from '../../../main/domain/credential/split-pem.ts';
import { printedText } from '../../../main/platform/programs/rules/printed-text.ts';
import type { ClientGoAnswer } from './client-go.ts';
import type { PrintedAnswer } from './seeds.ts';

/** What a client makes of an answer, so that two can be compared. */
export interface Verdict {
  /** `ok`, or where it was refused. */
  at: 'ok' | 'decoding' | 'version' | 'noStatus' | 'noCredential' | 'halfPair' | 'pair' | 'token';
  token: string | null;
  end: number | null;
  /** SHA-256 of each certificate. */
  chain: string[];
}

const refused = { token: null, end: null, chain: [] };

export function lanyardVerdict({ apiVersion, stdout }: PrintedAnswer): Verdict {
  const read = readAnswer(new Secret(printedText(stdout)), { apiVersion });
  if (!read.ok) {
    return { ...refused, at: read.code.replace('execPlugin.', '') as Verdict['at'] };
  }
  const { token, certificate, expirationTimestamp } = read.answer;
  const chain = certificate ? splitPem(certificate.chainPem).certificates : [];
  return {
    at: 'ok',
    token: token?.reveal() ?? null,
    end: expirationTimestamp,
    chain: chain.map((pem) => digest(new X509Certificate(pem).raw)),
  };
}

const errors: readonly (readonly [begin: string, at: Verdict['at']])[] = [
  ['decoding stdout: ', 'decoding'],
  ['exec plugin is configured to use API version', 'version'],
  ["exec plugin didn't return a status field", 'noStatus'],
  ["exec plugin didn't return a token or cert/key pair", 'noCredential'],
  ['exec plugin returned only certificate or key, not both', 'halfPair'],
  ['failed parsing client key/certificate: ', 'pair'],
];

export function clientGoVerdict({ ok, error = '', token, unsendable, chain, end }: ClientGoAnswer): Verdict {
  if (!ok) {
    const said = error.replace(/^getting credentials: /, '');
    const at = errors.find(([begin]) => said.startsWith(begin))?.[1];
    if (at === undefined) {
      throw new Error(`client-go says something else: ${error}`);
    }
    return { ...refused, at };
  }
  return unsendable
    ? { ...refused, at: 'token' }
    : {
        at: 'ok',
        token: token ?? null,
        end: end ?? null,
        chain: (chain ?? []).map((der) => digest(Buffer.from(der, 'base64'))),
      };
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
