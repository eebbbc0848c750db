import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { signWithBotocore, type ToSignAgain } from '../support/aws/botocore.ts';
import { type SignedByProxy, signWithProxy, type ToSign } from '../support/aws/proxy-signer.ts';
import { signatureSuite, suiteScope } from '../support/aws/signature-suite.ts';
import { authorizationOf } from '../support/aws/signed-request.ts';
import { signWithSmithy } from '../support/aws/smithy.ts';
import { whyNotLong } from '../support/long.ts';
import { unless } from '../support/unless.ts';

/** The proxy’s signatures beside AWS’s test suite, and beside other signers for requests of all kinds. */
const limitMilliseconds = 900_000;

describe('AWS Signature Version 4', unless(whyNotLong), () => {
  // The program is built then.
  beforeAll(() => signWithProxy([]), limitMilliseconds);

  test(
    'is that of each case of AWS’s suite',
    async () => {
      const cases = await signatureSuite();
      expect(cases).toHaveLength(34);
      const signed = await signWithProxy(
        cases.map(({ request, body }) => ({ ...suiteScope, request, body })),
      );
      const told = signed.map(({ query: _, ...parts }, at) => ({ name: cases[at]?.name, ...parts }));
      expect(told).toEqual(cases.map(({ request: _, body: __, ...expected }) => expected));
    },
    limitMilliseconds,
  );

  test(
    'is that of smithy and botocore for thousands of odd requests',
    async () => {
      const asked = Array.from({ length: 4_000 }, (_, seed) => oddRequest(seed));
      const signed = await signWithProxy(asked);
      const again = asked.map((each, at) => toSignAgain(each, signed[at] as SignedByProxy));
      const expected = signed.map(({ canonicalRequest, authorization }) => ({
        canonicalRequest,
        authorization,
      }));
      expect(await Promise.all(again.map((each) => signWithSmithy(...each)))).toEqual(expected);
      expect(await signWithBotocore(again)).toEqual(expected);
    },
    limitMilliseconds,
  );
});

/** As a service receives it. */
function toSignAgain({ request, ...keys }: ToSign, { query, authorization }: SignedByProxy): ToSignAgain {
  const [path = ''] = request.target.split('?');
  const received = {
    ...request,
    target: query === '' ? path : `${path}?${query}`,
    headers: [...request.headers, ['authorization', authorization] as const],
  };
  const stated = authorizationOf(received);
  if (stated === null) {
    throw new Error(`no signature: ${authorization}`);
  }
  return [received, stated, keys];
}

/** The same for a seed each time. */
function oddRequest(seed: number): ToSign {
  let state = createHash('sha256').update(`odd request ${seed}`).digest();
  const below = (limit: number) => {
    state = createHash('sha256').update(state).digest();
    return state.readUInt32BE() % limit;
  };
  const one = <Of>(of: readonly Of[]) => of[below(of.length)] as Of;
  const some = (most: number, make: () => string) => Array.from({ length: below(most + 1) }, make);
  const text = (parts: readonly string[]) => some(6, () => one(parts)).join('');
  const plain = ['a', 'Z', '0', '-', '_', '.a', '~', ':', '@', '!', '$', "'", '(', ')', '*', ',', ';'];
  const escaped = ['%20', '%25', '%2F', '%3a', '%C3%A9', '%e1%88%b4', '%2B', '%00'];
  const segment = () => text([...plain, ...escaped, '+', '=', '&']);
  const path = `/${some(5, segment).join('/')}${one(['', '/', '//'])}`;
  const word = () => text([...plain, ...escaped, '+', '/', '?']);
  const part = () => one([() => word(), () => `${word()}=${word()}`, () => `a=${word()}`, () => 'a=1'])();
  const query = some(6, part).join('&');
  const body = one(['', '{}', 'é'.repeat(below(50))]);
  const seconds = Date.UTC(2026, 0, 1) / 1000 + below(31_536_000);
  const date = new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
  const value = () => text([' ', '  ', 'a', 'B', ',', '"', '=', '/']);
  const headers: [string, string][] = [
    ['host', one(['example.com', 'a.example.com:8443', '127.0.0.1:6443'])],
    ['x-amz-date', date],
    ['x-amz-content-sha256', createHash('sha256').update(body).digest('hex')],
    ...some(4, () => one(['x-amz-meta', 'x-amz-a', 'x-amz-zz', 'content-type'])).map(
      (name): [string, string] => [name, value()],
    ),
  ];
  return {
    request: {
      method: one(['GET', 'POST', 'PATCH']),
      target: query === '' ? path : `${path}?${query}`,
      headers,
    },
    ...{ body, seconds, region: one(['eu-west-1', 'us-east-1']), service: one(['execute-api', 'eks']) },
    ...{ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: `not-a-real-key/${seed}+` },
  };
}
