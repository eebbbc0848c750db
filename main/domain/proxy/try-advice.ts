import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { Advice, ShownTry } from '../../contract/shown-try.ts';
import { aheadText } from '../../contract/ui/time-texts.ts';
import { awsAnswers } from './aws-answers.ts';
import type { ChainStep, SignStep } from './chain.ts';

type Answered = Pick<ShownTry, 'url' | 'answer' | 'fault' | 'attempts'>;

/** From this difference on a clock is off, in milliseconds: `Date` counts seconds, and an answer takes its time. */
const clockOff = 60_000;

/** The cluster as configured. */
export interface TriedCluster {
  cluster: string;
  account: string;
  chain: readonly ChainStep[];
  /** By name. */
  accounts: ReadonlyMap<string, { config: AccountConfig }>;
}

/**
 * What a cluster’s answer to a tried request means, and what to do. `now`: when it came, milliseconds since 1970.
 */
export function tryAdvice(tried: Answered, of: TriedCluster, now: number): Advice[] {
  const { answer, fault } = tried;
  if (answer === null || fault !== null) {
    return [];
  }
  const clock = clockAdvice(tried, now);
  const about = answer.status < 400 ? null : answerAdvice(tried, of);
  return [...(about ? [about] : []), ...(clock ? [clock] : [])];
}

function clockAdvice({ answer, attempts }: Answered, now: number): Advice | null {
  const at = Date.parse(headerOf(answer, 'date') ?? '');
  if (!(Math.abs(at - now) >= clockOff)) {
    return null;
  }
  const wasCorrected = attempts.some(({ why }) => why === 'clock');
  return {
    text: `this computer’s clock is ${aheadText(now - at)} the cluster’s${wasCorrected ? '; Lanyard signs with the cluster’s time' : ''}`,
    hint: 'set the clock: other programs, and certificates, need it too',
  };
}

function answerAdvice(tried: Answered, { cluster, account, chain, accounts }: TriedCluster): Advice | null {
  const { answer } = tried;
  const signs = chain.filter((step) => step.kind === 'sign');
  const signed = signs.find(({ scope }) => scope !== null) ?? null;
  const { type, message } = errorIn(answer);
  const keys = signed && {
    name: signed.account,
    config: accounts.get(signed.account)?.config ?? null,
  };
  const of = { ...tried, cluster, signed, keys, message };
  const known = awsAnswers.find(({ says, named }) => named?.test(type) || says?.test(message));
  if (known) {
    return known.advice(of);
  }
  if (answer?.status === 401) {
    return rejected(tried, account, signed);
  }
  if (/system:anonymous/.test(message)) {
    return {
      text: 'the API server took the request as anonymous: it got no credential that it knows',
      hint: 'look at the steps: what stands before it may want its own, and the API server another',
    };
  }
  return null;
}

function rejected({ attempts }: Answered, account: string, signed: SignStep | null): Advice {
  const wasRenewed = attempts.some(({ why }) => why === 'rejected');
  const credential = attempts.at(-1)?.steps.some(({ does }) => does.some((part) => isOf(part, account)));
  if (signed?.account === account) {
    return {
      text: 'the signature was accepted or not looked at, and the API server behind got no credential',
      hint: 'it wants its own: name its account as the cluster’s, and set it in another header if the gateway passes one on',
    };
  }
  return signed && credential
    ? {
        text: `the signature takes the place of the credential of ${account} in Authorization`,
        hint: 'where the API server wants its own, have the gateway add it, or set it in another header',
      }
    : {
        text: `the cluster doesn’t accept the credential${wasRenewed ? ', nor the one that it was renewed to' : ''}`,
        hint: 'see whose it is: lanyard status',
      };
}

function isOf(part: string | { account: string }, account: string): boolean {
  return typeof part !== 'string' && part.account === account;
}

function headerOf(answer: Answered['answer'], name: string): string | null {
  return answer?.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
}

/** `x-amzn-errortype` may have `:http://…` behind the type; API Gateway and Lattice differ in the message’s key. */
function errorIn(answer: Answered['answer']): { type: string; message: string } {
  const body = answer?.body ?? '';
  const read = jsonIn(body);
  const text = (key: string) => (typeof read?.[key] === 'string' ? read[key] : undefined);
  const type = headerOf(answer, 'x-amzn-errortype') ?? text('__type') ?? '';
  return {
    type: type.replace(/:.*$/s, '').replace(/^.*#/, ''),
    message: text('message') ?? text('Message') ?? body,
  };
}

function jsonIn(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    return read !== null && typeof read === 'object' ? { ...read } : null;
  } catch {
    return null;
  }
}
