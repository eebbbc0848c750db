import { describe, expect, test } from 'vitest';
import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import { proxy } from '../../contract/config/proxy.ts';
import type { ShownTry } from '../../contract/shown-try.ts';
import { attempt, triedRequest, triedStep } from '../testing/a-tried-request.ts';
import { chainSteps } from './chain.ts';
import { shownSteps } from './shown-steps.ts';
import { tryAdvice } from './try-advice.ts';

const now = Date.UTC(2026, 10, 23, 22, 30);
const chain = chainSteps(
  proxy.parse({ chain: [{ sign: 'keys', service: 'execute-api', region: 'eu-west-1' }] }),
);
const canonical = [
  ...['GET', '/prod/version', '', 'host:a.example', 'x-amz-date:20261123T223000Z'],
  ...['x-amz-security-token:[blanked]', '', 'host;x-amz-date;x-amz-security-token', 'e3b0'],
].join('\n');

interface Given {
  status?: number;
  type?: string;
  body?: string;
  /** In place of JSON with the message `body`. */
  text?: string;
  date?: number;
  url?: string;
  steps?: typeof chain;
  why?: ShownTry['attempts'][number]['why'];
  /** The account `keys`. */
  keys?: AccountConfig;
  /** The cluster’s own. */
  account?: string;
}

function advice({
  status = 403,
  type,
  body,
  text,
  date = now,
  url,
  steps = chain,
  why = 'first',
  keys,
  account = 'corp',
}: Given) {
  const headers: [string, string][] = [
    ['date', new Date(date).toUTCString()],
    ...(type === undefined ? [] : [['x-amzn-errortype', type] as [string, string]]),
  ];
  const tried = triedRequest({
    answer: {
      status,
      headers,
      bytes: 1,
      body: text ?? (body === undefined ? null : JSON.stringify({ message: body })),
    },
    ...(url !== undefined && { url }),
  });
  const own = triedStep('set', ['authorization']);
  const signed = steps.length === 0 ? [] : [triedStep('signAws', [], { canonicalRequest: canonical })];
  const attempts = [{ ...attempt({ why }), steps: shownSteps([own, ...signed], account, steps) }];
  const accounts = new Map([['keys', { config: keys ?? { aws: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' } } }]]);
  return tryAdvice({ ...tried, attempts }, { cluster: 'prod', account, chain: steps, accounts }, now);
}

const canonicalMessage = (lines: string) =>
  `The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.\n\nThe Canonical String for this request should have been\n'${lines}'\n\nThe String-to-Sign should have been\n'AWS4-HMAC-SHA256'\n`;

const signature = 'InvalidSignatureException';
const denied = 'AccessDeniedException';
const noToken = { type: 'MissingAuthenticationTokenException', body: 'Missing Authentication Token' };
const unauthorized = { status: 401, body: 'Unauthorized' };
const anonymous = 'User: anonymous is not authorized to perform: vpc-lattice-svcs:Invoke';

// Messages: AWS, IAM User Guide, “Troubleshoot signed requests”; API Gateway, “Troubleshoot SigV4 signature mismatch”.
describe('what an answer to a signed request means', () => {
  test.each<[string, Given, RegExp]>([
    [
      'a clock',
      {
        type: signature,
        body: 'Signature expired: 20261123T222400Z is now earlier than 20261123T222500Z (20261123T223000Z - 5 min.)',
      },
      /another time/,
    ],
    [
      'a region, which the server’s name has',
      {
        type: 'InvalidSignatureException:http://internal.amazon.com/coral/com.amazon.coral.service/',
        body: "Credential should be scoped to a valid region, not 'eu-west-1'. ",
        url: 'https://a1.execute-api.us-east-1.amazonaws.com/prod/version',
      },
      /the region eu-west-1, .*us-east-1/,
    ],
    [
      'a region of Lattice',
      {
        body: 'Credential should be scoped to a valid Region, not eu-west-1',
        url: 'https://s-1.7d67968.vpc-lattice-svcs.us-west-2.on.aws/',
      },
      /us-west-2/,
    ],
    [
      'a service',
      { body: "Credential should be scoped to correct service: 'vpc-lattice-svcs'" },
      /the service execute-api, .*is vpc-lattice-svcs.*to vpc-lattice-svcs/,
    ],
    [
      'keys that ended',
      { type: 'ExpiredTokenException', body: 'The security token included in the request is expired' },
      /session of the keys of keys has expired/,
    ],
    [
      'keys that AWS doesn’t know',
      { type: 'UnrecognizedClientException', body: 'The security token included in the request is invalid.' },
      /doesn’t know the keys of keys/,
    ],
    ['a route that isn’t there', noToken, /no route/],
    ['no signature', { ...noToken, steps: [] }, /wants signed requests/],
    [
      'another canonical request',
      { type: signature, body: canonicalMessage(canonical.replace('/prod/version', '/version')) },
      /signed with "\/prod\/version", and the service got "\/version"/,
    ],
    [
      'the same canonical request',
      { type: signature, body: canonicalMessage(canonical.replace('[blanked]', 'x')) },
      /secret key of the keys of keys.*lanyard secret set keys\/secretAccessKey/,
    ],
    [
      'no canonical request',
      { type: signature, body: canonicalMessage('').replace(/The Canonical[\s\S]*/, '') },
      /--verbose/,
    ],
    [
      'IAM',
      {
        type: denied,
        body: 'User: arn:aws:iam::1:user/a is not authorized to perform: execute-api:Invoke on resource: arn:aws:execute-api:eu-west-1:1:a/prod/GET/version because no identity-based policy allows the execute-api:Invoke action',
      },
      /signature is good; no policy allows execute-api:Invoke.*identity-based policy/,
    ],
    [
      'an explicit deny',
      { body: 'User: a is not authorized to perform: execute-api:Invoke with an explicit deny' },
      /a policy denies execute-api:Invoke/,
    ],
    [
      'Lattice’s policy',
      {
        type: denied,
        body: 'User: arn:aws:sts::1:assumed-role/a/b is not authorized to perform: vpc-lattice-svcs:Invoke on resource: arn:aws:vpc-lattice:eu-west-1:1:service/svc-1/ because no service-based policy allows the vpc-lattice-svcs:Invoke action',
      },
      /service-based policy/,
    ],
    ['Lattice without a signature', { type: denied, body: anonymous, steps: [] }, /isn’t signed/],
    [
      'Lattice that doesn’t accept the signature',
      {
        text: 'AccessDeniedException: User: anonymous is not authorized to perform: vpc-lattice-svcs:Invoke on resource: arn:aws:vpc-lattice:eu-west-1:123456789012:service/svc-1/version because no service-based policy allows the vpc-lattice-svcs:Invoke action',
      },
      /doesn’t accept the signature with the keys of keys.*service and region/,
    ],
    ['Lattice without a reason', { type: denied }, /auth policies/],
    ['an API key', { type: 'ForbiddenException', body: 'Forbidden' }, /x-api-key/],
    ['an API server behind a gateway', unauthorized, /takes the place of the credential of corp/],
    ['an API server that gets a signature alone', { ...unauthorized, account: 'keys' }, /got no credential/],
    ['a token', { ...unauthorized, steps: [], why: 'rejected' }, /nor the one that it was renewed to/],
    [
      'an API server that got nothing',
      { body: 'forbidden: User "system:anonymous" cannot get path "/api"' },
      /as anonymous/,
    ],
  ])('%s', (_, given, says) => {
    const [first] = advice(given);
    expect(`${first?.text} ${first?.hint}`).toMatch(says);
  });

  const webIdentity = { tokenFile: '/t', role: 'arn:aws:iam::123456789012:role/a', region: 'eu-west-1' };
  const command = { command: 'aws', args: ['configure', 'export-credentials'] };
  test.each<[string, object, wrong: string | null, ended: string | null]>([
    [
      'a static key',
      { aws: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' } },
      'set it again: lanyard secret set keys/secretAccessKey',
      'give keys new keys: id, secretAccessKey and sessionToken belong together',
    ],
    [
      'a profile',
      { aws: { profile: 'work' } },
      'correct the profile work in ~/.aws/credentials; Lanyard reads it again',
      'put new keys into the profile work in ~/.aws/credentials; Lanyard reads it again',
    ],
    [
      'a profile of another file',
      { aws: { profile: 'work', credentialsFile: '/etc/aws-keys' } },
      'correct the profile work in /etc/aws-keys; Lanyard reads it again',
      'put new keys into the profile work in /etc/aws-keys; Lanyard reads it again',
    ],
    ['STS', { aws: { webIdentity } }, null, null],
    [
      'a program',
      { awsProcess: command },
      'its program printed them: lanyard plugin show keys',
      'log in there again, such as with aws sso login; then try again',
    ],
  ])('keys of %s are corrected where they come from', (_, account, wrong, ended) => {
    const of = { type: signature, keys: account as AccountConfig };
    const same = canonicalMessage(canonical.replace('[blanked]', 'x'));
    expect(advice({ ...of, body: same })[0]?.hint).toBe(wrong);
    expect(advice({ ...of, type: 'ExpiredTokenException', body: '' })[0]?.hint).toBe(ended);
  });

  test('an answer that speaks for itself gets none', () => {
    expect(advice({ status: 200 })).toEqual([]);
    expect(advice({ body: 'pods is forbidden: User "ann" cannot list resource "pods"' })).toEqual([]);
    expect(advice({ status: 404 })).toEqual([]);
  });

  test('a clock that is off is said with its minutes, whatever the answer', () => {
    const [first] = advice({ status: 200, date: now + 6 * 60_000, why: 'clock' });
    expect(first?.text).toBe(
      'this computer’s clock is 6 min behind the cluster’s; Lanyard signs with the cluster’s time',
    );
    expect(advice({ status: 200, date: now - 60_000 })[0]?.text).toBe(
      'this computer’s clock is 1 min ahead of the cluster’s',
    );
    expect(advice({ status: 200, date: now + 59_000 })).toEqual([]);
    expect(advice({ status: 200, date: Number.NaN })).toEqual([]);
  });
});
