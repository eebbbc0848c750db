import { type Refusal, refuse } from '../contract/refusal.ts';
import type { ChainStep, SignStep } from '../domain/proxy/chain.ts';
import type { Credential } from '../ports/account.ts';
import { type SigningWith, signingWith } from './rules/signing-keys.ts';

/** A step as the data plane applies it (native-helper/proxy/src/chain.rs). `secret`: the value is of an account. */
export type WorkedOutStep =
  | { step: 'set' | 'add'; name: string; value: string; secret: boolean }
  | { step: 'remove'; name: string }
  | { step: 'removePrefix'; prefix: string }
  | ({ step: 'signAws'; payload: 'hashed' | 'unsigned' } & SigningWith)
  | { step: 'signProgram'; signer: string; payload: 'hashed' | 'none'; credentials: boolean };

/**
 * The steps with their values: the cluster’s own credential, then the chain. `own` null: its account is a program that
 * signs. `of`: the credential for a step; null: it needs none. `now`: milliseconds since 1970.
 */
export function workOut(
  own: Credential | null,
  chain: readonly ChainStep[],
  of: (step: ChainStep) => Credential | null,
  now: number,
): { ok: true; steps: WorkedOutStep[] } | Refusal {
  const steps: WorkedOutStep[] = [];
  const authorization = own && headerValue(own, 'Bearer');
  if (authorization !== null) {
    steps.push({ step: 'set', name: 'Authorization', value: authorization, secret: true });
  }
  for (const step of chain) {
    if (step.kind === 'remove') {
      steps.push({ step: 'remove', name: step.header });
      continue;
    }
    if (step.kind === 'impersonate') {
      steps.push(...impersonation(step));
      continue;
    }
    if (step.kind === 'sign') {
      const signing = signingStep(step, of(step), now);
      if (!signing.ok) {
        return signing;
      }
      steps.push(signing.step);
      continue;
    }
    const { kind, header, from } = step;
    const credential = 'value' in from ? null : of(step);
    const value =
      'value' in from ? from.value : credential === null ? null : headerValue(credential, from.scheme);
    if (value === null) {
      const account = 'value' in from ? '' : from.account;
      return refuse(
        'notPermitted',
        'proxy.header',
        `${account} has nothing that the header ${header} can carry`,
        'a header takes a token, or a user name and password: name another account in the cluster’s chain',
      );
    }
    steps.push({ step: kind, name: header, value, secret: !('value' in from) });
  }
  return { ok: true, steps };
}

function signingStep(
  { account, scope, payload, credentials }: SignStep,
  credential: Credential | null,
  now: number,
): { ok: true; step: WorkedOutStep } | Refusal {
  if (scope === null) {
    const body = payload === 'hashed' ? 'hashed' : 'none';
    return { ok: true, step: { step: 'signProgram', signer: account, payload: body, credentials } };
  }
  const keys = credential?.awsKeys;
  return keys
    ? { ok: true, step: { step: 'signAws', payload, ...signingWith(keys, scope, now) } }
    : refuse(
        'notPermitted',
        'proxy.sign',
        `${account} has no AWS keys`,
        'name an account of kind aws or awsProcess in the cluster’s chain',
      );
}

/** RFC 6750, section 2.1; RFC 7617, section 2. Null: it is neither a token nor a password. */
function headerValue({ token, password }: Credential, scheme: string | null): string | null {
  if (password) {
    const pair = `${password.userName}:${password.password.reveal()}`;
    return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
  }
  return token === null ? null : `${scheme === null ? '' : `${scheme} `}${token.reveal()}`;
}

/** The client’s own are removed, so that a program can’t ask for more than the chain says. */
function impersonation(step: Extract<ChainStep, { kind: 'impersonate' }>): WorkedOutStep[] {
  const add = (name: string, value: string) => ({ step: 'add', name, value, secret: false }) as const;
  return [
    { step: 'removePrefix', prefix: 'Impersonate-' },
    add('Impersonate-User', step.user),
    ...(step.uid === null ? [] : [add('Impersonate-Uid', step.uid)]),
    ...step.groups.map((group) => add('Impersonate-Group', group)),
    ...Object.entries(step.extra).flatMap(([key, values]) =>
      values.map((value) => add(`Impersonate-Extra-${escapedKey(key)}`, value)),
    ),
  ];
}

/** As client-go escapes what a header’s name can’t have. */
function escapedKey(key: string): string {
  return key.replace(/[%/]/g, (character) => encodeURIComponent(character));
}
