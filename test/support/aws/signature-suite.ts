import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { unpackedPackage } from '../python-folder.ts';
import type { ReceivedRequest } from './signed-request.ts';

/** A case of AWS’s test suite for Signature Version 4: a request, and what comes of it. */
export interface SuiteCase {
  /** Its folder, such as `normalize-path/get-slashes`. */
  name: string;
  request: ReceivedRequest;
  body: string;
  canonicalRequest: string;
  stringToSign: string;
  authorization: string;
}

/** What each case is signed with (the suite’s own documentation). */
export const suiteScope = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
  seconds: Date.UTC(2015, 7, 30, 12, 36) / 1000,
} as const;

/** All cases; the first time they are fetched (17 MB). Rejects where they are not to be had. */
export async function signatureSuite(): Promise<SuiteCase[]> {
  const requirements = join(import.meta.dirname, 'suite-requirements.txt');
  const folder = await unpackedPackage(
    'aws-signature-suite',
    requirements,
    join(import.meta.dirname, 'unpack_suite.py'),
  );
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.req'))
    .map((file) => caseIn(folder, dirname(file)))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function caseIn(folder: string, name: string): SuiteCase {
  const of = (kind: string) => {
    const file = join(folder, name, `${basename(name)}.${kind}`);
    return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r', '') : '';
  };
  const [head = '', body = ''] = of('req').split(/\n\n(.*)/s);
  // A line that begins with a space goes on with the one before (RFC 9112, section 5.2).
  const [line = '', ...fields] = head
    .replaceAll(/\n[ \t]+/g, ' ')
    .trimEnd()
    .split('\n');
  // The suite has spaces in paths.
  const [, method = '', target = ''] = /^(\S+) (.*) HTTP\/1\.1$/.exec(line) ?? [];
  const headers = fields.map((field) => {
    const [header = '', value = ''] = field.split(/:(.*)/s);
    return [header.toLowerCase(), value] as const;
  });
  const canonicalRequest = of('creq');
  // One case’s token is of its credential, and in the canonical request alone.
  const [, token] = /^x-amz-security-token:(.*)$/m.exec(canonicalRequest) ?? [];
  if (token !== undefined && !headers.some(([header]) => header === 'x-amz-security-token')) {
    headers.push(['x-amz-security-token', token]);
  }
  const request = { method, target, headers };
  return { name, request, body, canonicalRequest, stringToSign: of('sts'), authorization: of('authz') };
}
