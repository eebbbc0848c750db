import { z } from 'zod';
import { durationText } from '../duration.ts';
import { awsRegion, awsService } from './accounts/aws.ts';
import { configName } from './names.ts';

/** The part `proxy` of a cluster: its requests go through Lanyard’s request proxy (KEP-2718; docs/adr/0030). */

/** A header’s name (RFC 9110, section 5.1). */
const headerName = z
  .string()
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'not a header’s name')
  .refine((name) => !setByHttp.test(name), { error: 'HTTP sets this header itself' })
  .refine((name) => !/^impersonate-/i.test(name), { error: 'use an impersonate step' });

/** Headers of the connection, of the body’s length, and of an upgrade. */
const setByHttp =
  /^(host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|proxy-connection|proxy-authenticate|sec-websocket-.*)$/i;

/** Headers whose value is a credential by its name: an account has it. */
export const secretHeader =
  /^(authorization|proxy-authorization|cookie)$|secret|token|password|api-?key|credential|jwt|assertion/i;

const headerValue = z
  .string()
  .max(8192)
  // RFC 9110, section 5.5: a line break in a value would start another header.
  .regex(/^[\t\x20-\x7e]*$/, 'expected plain ASCII without control characters');

/** A user or group as a header can carry it. */
const identity = headerValue.min(1).max(1024);

export const impersonation = z.strictObject({
  user: identity.describe('Impersonate-User: whom the API server should take the request for.'),
  uid: identity.optional().describe('Impersonate-Uid.'),
  groups: z.array(identity).max(64).default([]).describe('Impersonate-Group, one header each.'),
  extra: z
    .record(
      z
        .string()
        .min(1)
        .max(128)
        .regex(/^[a-z0-9._%/-]+$/, 'expected lower case letters, digits and . _ % / -'),
      z.array(identity).min(1).max(64),
    )
    .default({})
    .describe('Impersonate-Extra-KEY, one header for each value.'),
});

/** Where a service takes no other, the body is not hashed. */
const unsignedServices: readonly unknown[] = ['vpc-lattice-svcs'];

/** One step of a chain: exactly one of set, add, remove, impersonate, sign. */
export const chainStep = z
  .strictObject({
    set: headerName.optional().describe('The header that the request gets, in place of all of that name.'),
    add: headerName.optional().describe('The header that the request gets, beside those of that name.'),
    remove: headerName.optional().describe('The header that is left out.'),
    impersonate: impersonation
      .optional()
      .describe(
        'Ask the API server to take the request for someone else’s. The client’s own --as is dropped.',
      ),
    value: headerValue.optional().describe('With set or add: the header’s value. No secrets.'),
    account: configName
      .optional()
      .describe('With set or add: the value is the token of this account, or its user name and password.'),
    scheme: z
      .string()
      .max(64)
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected a word such as Bearer')
      .optional()
      .describe(
        'With account: the word before the token; none: the token alone. Without it: Bearer in Authorization and Proxy-Authorization, none in others.',
      ),
    audience: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe('With account: its token is exchanged for one for this audience (RFC 8693).'),
    sign: configName
      .optional()
      .describe(
        'The request is signed: with the AWS keys of this account (Signature Version 4), or by its program. After all other steps.',
      ),
    service: awsService
      .optional()
      .describe('With sign and AWS keys: the service that checks it: execute-api, vpc-lattice-svcs.'),
    region: awsRegion.optional().describe('With sign and AWS keys: the service’s region.'),
    payload: z
      .enum(['hashed', 'unsigned'])
      .optional()
      .describe(
        'With sign: whether the body is signed, too. Then it is kept whole, up to 16 MiB. Without it: hashed; for vpc-lattice-svcs, which takes no other, unsigned.',
      ),
    credentials: z
      .boolean()
      .optional()
      .describe(
        'With sign and a program: it sees the credentials that the request has, too. false without it.',
      ),
  })
  .superRefine((step, context) => {
    const say = (message: string, path: string[] = []) => context.addIssue({ code: 'custom', path, message });
    const [kind, ...more] = (['set', 'add', 'remove', 'impersonate', 'sign'] as const).filter(
      (key) => step[key] !== undefined,
    );
    if (kind === undefined) {
      return say('expected one of set, add, remove, impersonate, sign');
    }
    if (more[0] !== undefined) {
      return say(`a step does one thing; this one is ${kind} already`, [more[0]]);
    }
    const hasValue = kind === 'set' || kind === 'add';
    for (const key of ['value', 'account', 'scheme', 'audience'] as const) {
      if (step[key] !== undefined && (!hasValue || (step.account === undefined && key !== 'value'))) {
        say(hasValue ? 'goes with account' : 'goes with set and add', [key]);
      }
    }
    for (const key of ['service', 'region', 'payload', 'credentials'] as const) {
      if (kind !== 'sign' && step[key] !== undefined) {
        say('goes with sign', [key]);
      }
    }
    if (kind === 'sign' && step.payload === 'hashed' && unsignedServices.includes(step.service)) {
      say(`${step.service} takes requests with an unsigned body alone`, ['payload']);
    }
    if (hasValue && (step.value === undefined) === (step.account === undefined)) {
      say('expected either value or account');
    }
    if (hasValue && step.value !== undefined && secretHeader.test(step[kind] ?? '')) {
      say('config.yaml holds no secrets: name an account that has it', ['value']);
    }
  });

/** Of all, in one chain. */
const mostSigns = 4;

/** What was signed stays as it is. */
function checkSigns(chain: readonly z.infer<typeof chainStep>[], context: z.RefinementCtx): void {
  const first = chain.findIndex(({ sign }) => sign !== undefined);
  const later = chain.findIndex(({ sign }, at) => first >= 0 && at > first && sign === undefined);
  if (later > 0) {
    const message = 'would change what is signed: put it before the steps that sign';
    context.addIssue({ code: 'custom', path: [later], message });
  }
  const signs = chain.filter(({ sign }) => sign !== undefined);
  if (signs.length > mostSigns) {
    context.addIssue({ code: 'custom', message: `at most ${mostSigns} steps may sign` });
  }
  const second = chain.findLastIndex(({ service }) => service !== undefined);
  if (second > chain.findIndex(({ service }) => service !== undefined)) {
    context.addIssue({ code: 'custom', path: [second], message: 'a request has one AWS signature' });
  }
}

/** The listener of its own that a client gets which knows KEP-2718 (docs/adr/0032). */
export const clientListener = z.strictObject({
  answer: z
    .enum(['lockFile', 'always'])
    .default('lockFile')
    .describe(
      'Who gets a listener of its own: a client that names a lock file (lockFile), or each client of this cluster (always).',
    ),
  listen: z
    .enum(['unix', 'tls'])
    .default('unix')
    .describe('On a Unix socket, or on a port of 127.0.0.1 (tls). Both with TLS.'),
  clientCertificate: z
    .boolean()
    .default(false)
    .describe(
      'The client gets a certificate and a key that are made for its listener, and each connection has to have them.',
    ),
  idle: durationText
    .default('5m')
    .describe('The listener ends after so long without a request (30s, 5m, 1h).'),
});

export const proxy = z.strictObject({
  chain: z
    .array(chainStep)
    .max(64)
    .superRefine(checkSigns)
    .default([])
    .describe(
      'What is done to each request, in order, after it got the credential of the cluster’s account.',
    ),
  cookies: z
    .enum(['strip', 'pass'])
    .optional()
    .describe(
      'Whether cookies go to the server, and those that it sets to the client. strip without it: the session of a front stays out of clients. pass: for a server that needs cookies of its clients.',
    ),
  proxyConfig: clientListener
    .optional()
    .describe(
      'For clients that know KEP-2718: they get a listener of their own (status.proxyConfig). Without it, those that name a lock file get one on a Unix socket.',
    ),
});

/** Whether the body of a signed request is hashed, where the step doesn’t say it. */
export function payloadOf({
  service,
  payload,
}: Pick<ChainStepConfig, 'service' | 'payload'>): 'hashed' | 'unsigned' {
  return payload ?? (unsignedServices.includes(service) ? 'unsigned' : 'hashed');
}

export type ProxyConfig = z.infer<typeof proxy>;
export type ClientListenerConfig = z.infer<typeof clientListener>;
export type ChainStepConfig = z.infer<typeof chainStep>;
