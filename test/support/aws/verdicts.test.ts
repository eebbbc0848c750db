import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { whyNotLong } from '../long.ts';
import { unless } from '../unless.ts';
import { signWithBotocore } from './botocore.ts';
import {
  type Authorization,
  authorizationOf,
  type ReceivedRequest,
  type SigningKeys,
} from './signed-request.ts';
import { signWithSmithy } from './smithy.ts';
import { type SignatureRules, type Verify, verifyAsApiGateway, verifyAsLattice } from './verdicts.ts';

const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-a-real-key', sessionToken: 'of a session' };
const now = new Date('2026-11-23T12:00:00Z');
const rules: SignatureRules = { region: 'eu-west-1', keys: [keys], now: () => now };

interface Asked {
  region?: string;
  service?: string;
  /** Milliseconds from the service’s clock. */
  offset?: number;
  payload?: string;
  keys?: SigningKeys;
  target?: string;
  method?: string;
  headers?: readonly (readonly [string, string])[];
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function unsigned(asked: Asked): [ReceivedRequest, Authorization] {
  const { offset = 0, payload = hashOf(''), keys: own = keys, target = '/api?limit=500' } = asked;
  const date = new Date(now.getTime() + offset).toISOString().replace(/[-:]|\.\d+/g, '');
  const headers: ReceivedRequest['headers'] = [
    ['host', 'api.example'],
    ['x-amz-date', date],
    ['x-amz-content-sha256', payload],
    ...(own.sessionToken === undefined ? [] : [['x-amz-security-token', own.sessionToken] as const]),
    ...(asked.headers ?? []),
  ];
  const { region = 'eu-west-1', service = 'execute-api', method = 'GET' } = asked;
  const signedHeaders = [...new Set(headers.map(([name]) => name))].sort();
  const stated = { region, service, signedHeaders, date: '', signature: '', accessKeyId: own.accessKeyId };
  return [{ method, target, headers }, stated];
}

async function signed(asked: Asked): Promise<ReceivedRequest> {
  const [request, stated] = unsigned(asked);
  const { authorization } = await signWithSmithy(request, stated, asked.keys ?? keys);
  return { ...request, headers: [...request.headers, ['authorization', authorization]] };
}

const verdict = async (verify: Verify, asked: Asked, more: Partial<SignatureRules> = {}, body = '') => {
  const refusal = await verify(await signed(asked), Buffer.from(body), { ...rules, ...more });
  return refusal && [refusal.headers['x-amzn-errortype'], JSON.parse(refusal.text).message];
};

describe('API Gateway', () => {
  test('what is well signed passes', async () => {
    expect(await verdict(verifyAsApiGateway, {})).toBeNull();
    expect(await verdict(verifyAsApiGateway, { payload: hashOf('{}') }, {}, '{}')).toBeNull();
  });

  test.each<[string, Asked, Partial<SignatureRules>, string, string]>([
    [
      'another region',
      { region: 'us-east-1' },
      {},
      'InvalidSignatureException',
      "Credential should be scoped to a valid region, not 'us-east-1'. ",
    ],
    [
      'another service',
      { service: 'es' },
      {},
      'InvalidSignatureException',
      "Credential should be scoped to correct service: 'execute-api'. ",
    ],
    [
      '6 minutes late',
      { offset: -360_000 },
      {},
      'InvalidSignatureException',
      'Signature expired: 20261123T115400Z is now earlier than 20261123T115500Z (20261123T120000Z - 5 min.)',
    ],
    [
      '6 minutes early',
      { offset: 360_000 },
      {},
      'InvalidSignatureException',
      'Signature not yet current: 20261123T120600Z is still later than 20261123T120500Z (20261123T120000Z + 5 min.)',
    ],
    [
      'unknown keys',
      { keys: { ...keys, accessKeyId: 'AKIAOTHER' } },
      {},
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    ],
    [
      'a session that is over',
      {},
      { keys: [{ ...keys, expires: now }] },
      'ExpiredTokenException',
      'The security token included in the request is expired',
    ],
  ])('%s', async (_, asked, more, kind, message) => {
    expect(await verdict(verifyAsApiGateway, asked, more)).toEqual([kind, message]);
  });

  test.each<[string, Asked, string]>([
    ['another secret', { keys: { ...keys, secretAccessKey: 'another' } }, ''],
    ['another body', { payload: hashOf('{}') }, '[]'],
    ['a body that is not signed', { payload: 'UNSIGNED-PAYLOAD' }, '{}'],
  ])('%s: another signature', async (_, asked, body) => {
    const [kind, message] = (await verdict(verifyAsApiGateway, asked, {}, body)) ?? [];
    expect(kind).toBe('InvalidSignatureException');
    expect(message).toContain('does not match the signature you provided');
    expect(message).toContain(`\n${hashOf(body)}'`);
  });

  test('no signature', async () => {
    const refusal = await verifyAsApiGateway({ method: 'GET', target: '/', headers: [] }, null, rules);
    expect(refusal).toMatchObject({
      status: 403,
      text: '{"message":"Missing Authentication Token"}',
      headers: {
        date: 'Mon, 23 Nov 2026 12:00:00 GMT',
        'x-amzn-errortype': 'MissingAuthenticationTokenException',
      },
    });
  });
});

describe('VPC Lattice', () => {
  const service = 'vpc-lattice-svcs';
  test.each<[boolean, Asked]>([
    [true, { service, payload: 'UNSIGNED-PAYLOAD' }],
    [false, { service }],
    [false, { service: 'execute-api', payload: 'UNSIGNED-PAYLOAD' }],
    [false, { service, payload: 'UNSIGNED-PAYLOAD', region: 'us-east-1' }],
    [false, { service, payload: 'UNSIGNED-PAYLOAD', offset: -360_000 }],
    [false, { service, payload: 'UNSIGNED-PAYLOAD', keys: { ...keys, secretAccessKey: 'another' } }],
  ])('%s: %j', async (passes, asked) => {
    const refusal = await verifyAsLattice(await signed(asked), null, rules);
    expect(refusal?.text ?? '').toMatch(passes ? /^$/ : /^AccessDeniedException: User: anonymous is not/);
  });
});

/** What a cluster’s requests have, and what signers differ in most easily. */
const odd: Asked[] = [
  {},
  { target: '/' },
  { target: '/api/v1/namespaces/kube-system/services/https:dashboard:8443/proxy/' },
  { target: '/api//v1///pods/' },
  { target: '/a%20b/%E4%BD%A0/%25/%2Fc/~d' },
  { target: '/exec?command=sh&command=-c&command=a%20b%26c%3Dd&container=app&stdin=true' },
  { target: '/x?b=2&a=3&a=1&a=&B=&a-b=1&a.b=1&ab=1' },
  { target: '/x?labelSelector=app%3Dweb%2Ctier%20in%20%28a%2Cb%29&fieldSelector=spec.nodeName%3D%E4%BD%A0' },
  { method: 'POST', payload: hashOf('{}'), headers: [['content-type', 'application/json']] },
  {
    headers: [
      ['x-amz-meta', 'b'],
      ['x-amz-meta', 'a'],
      ['x-amz-meta', ' c   d '],
    ],
  },
  { keys: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not/a+real=key' }, payload: 'UNSIGNED-PAYLOAD' },
];

test('botocore and smithy sign alike', { ...unless(whyNotLong), timeout: 600_000 }, async () => {
  const all = odd.map((asked) => [...unsigned(asked), asked.keys ?? keys] as const);
  const smithy = await Promise.all(all.map((each) => signWithSmithy(...each)));
  expect(await signWithBotocore(all)).toEqual(smithy);
});

test('of Authorization one form is read', () => {
  const read = (...values: string[]) =>
    authorizationOf({ method: 'GET', target: '/', headers: values.map((value) => ['authorization', value]) });
  const good = `AWS4-HMAC-SHA256 Credential=AKIA/20261123/eu-west-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`;
  expect(read(good)).toMatchObject({
    accessKeyId: 'AKIA',
    date: '20261123',
    signedHeaders: ['host', 'x-amz-date'],
  });
  expect([read(), read('Bearer x'), read(good, good)]).toEqual([null, null, null]);
});
