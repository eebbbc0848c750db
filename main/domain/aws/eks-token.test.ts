import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { eksToken } from './eks-token.ts';
import { signedFormHeaders } from './sign-request.ts';
import { stsAddress } from './sts-address.ts';

const keys = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: new Secret('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'),
  sessionToken: null,
};
const now = Date.UTC(2026, 10, 23, 12, 0, 0, 900);

function addressOf({ token }: ReturnType<typeof eksToken>): URL {
  const [prefix, encoded = ''] = token.reveal().split('.');
  expect(prefix).toBe('k8s-aws-v1');
  expect(encoded).toMatch(/^[\w-]+$/);
  return new URL(Buffer.from(encoded, 'base64url').toString());
}

describe('an EKS token', () => {
  test('is a request that aws-iam-authenticator takes: its parameters, each once, and no other', () => {
    const made = eksToken({ cluster: 'prod', region: 'eu-west-1' }, keys, now);
    const address = addressOf(made);
    expect(`${address.origin}${address.pathname}`).toBe('https://sts.eu-west-1.amazonaws.com/');
    expect([...address.searchParams].slice(0, -1)).toEqual([
      ['Action', 'GetCallerIdentity'],
      ['Version', '2011-06-15'],
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
      ['X-Amz-Credential', 'AKIDEXAMPLE/20261123/eu-west-1/sts/aws4_request'],
      ['X-Amz-Date', '20261123T120000Z'],
      ['X-Amz-Expires', '60'],
      ['X-Amz-SignedHeaders', 'host;x-k8s-aws-id'],
    ]);
    expect(address.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
    expect([made.issuedAt, made.expiresAt]).toEqual([
      Date.UTC(2026, 10, 23, 12),
      Date.UTC(2026, 10, 23, 12, 14),
    ]);
  });

  test('another cluster, region, key or second is another signature', () => {
    const of = (cluster: string, region: string, secret: string, at: number) =>
      addressOf(
        eksToken({ cluster, region }, { ...keys, secretAccessKey: new Secret(secret) }, at),
      ).searchParams.get('X-Amz-Signature');
    const all = [
      of('prod', 'eu-west-1', 'a', now),
      of('test', 'eu-west-1', 'a', now),
      of('prod', 'eu-west-2', 'a', now),
      of('prod', 'eu-west-1', 'b', now),
      of('prod', 'eu-west-1', 'a', now + 1_000),
    ];
    expect(new Set(all).size).toBe(5);
  });

  test('a session token is signed, before the signature', () => {
    const made = eksToken(
      { cluster: 'c', region: 'eu-west-1' },
      { ...keys, sessionToken: new Secret('a/b+c==') },
      now,
    );
    const { search } = addressOf(made);
    expect(search).toMatch(/&X-Amz-Security-Token=a%2Fb%2Bc%3D%3D&X-Amz-Signature=[0-9a-f]{64}$/);
  });
});

/** The regions’ partitions (AWS General Reference, "AWS Security Token Service endpoints"). */
test.each([
  ['eu-west-1', 'sts.eu-west-1.amazonaws.com'],
  ['cn-north-1', 'sts.cn-north-1.amazonaws.com.cn'],
  ['us-gov-west-1', 'sts.us-gov-west-1.amazonaws.com'],
  ['us-iso-east-1', 'sts.us-iso-east-1.c2s.ic.gov'],
  ['us-isob-east-1', 'sts.us-isob-east-1.sc2s.sgov.gov'],
  ['eusc-de-east-1', 'sts.eusc-de-east-1.amazonaws.eu'],
])('STS of %s', (region, host) => {
  expect(stsAddress(region).href).toBe(`https://${host}/`);
});

/** Written from AWS’s documentation once more, so that a mistake would have to be made twice. */
test('the signature of a form, with its body and the session token', () => {
  const address = new URL('https://sts.eu-west-1.amazonaws.com/');
  const body = 'Action=AssumeRole&RoleArn=arn%3Aaws';
  const headers = signedFormHeaders(
    { address, region: 'eu-west-1', keys: { ...keys, sessionToken: new Secret('token') }, now },
    body,
  );
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const canonical = `POST
/

content-type:application/x-www-form-urlencoded; charset=utf-8
host:sts.eu-west-1.amazonaws.com
x-amz-date:20261123T120000Z
x-amz-security-token:token

content-type;host;x-amz-date;x-amz-security-token
${sha256(body)}`;
  const scope = '20261123/eu-west-1/sts/aws4_request';
  const key = hmac(
    hmac(hmac(hmac(`AWS4${keys.secretAccessKey.reveal()}`, '20261123'), 'eu-west-1'), 'sts'),
    'aws4_request',
  );
  const signature = hmac(key, `AWS4-HMAC-SHA256\n20261123T120000Z\n${scope}\n${sha256(canonical)}`).toString(
    'hex',
  );
  expect(headers).toEqual({
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'x-amz-date': '20261123T120000Z',
    'x-amz-security-token': 'token',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=${signature}`,
  });
});
