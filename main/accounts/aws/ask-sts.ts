import { isLoopbackHost } from '../../contract/config/url-rules.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { formType, signedFormHeaders } from '../../domain/aws/sign-request.ts';
import { stsAddress } from '../../domain/aws/sts-address.ts';
import type { AwsKeys } from '../../domain/credential/aws-keys.ts';
import { createFetch, defaultHttpLimits } from '../../platform/network/bounded-fetch.ts';
import { chooseProxy, type ProxyEnvironment } from '../../platform/network/choose-proxy.ts';
import { failureText } from '../../platform/network/failure-text.ts';
import { HttpFailure } from '../../platform/network/http-failure.ts';
import { proxyHint } from '../../platform/network/proxy-hint.ts';
import type { Clock } from '../../ports/clock.ts';
import { readStsAnswer } from './rules/sts-answer.ts';
import { type AskedSts, isProofOver, stsRefusal } from './rules/sts-words.ts';

export interface StsDeps {
  clock: Pick<Clock, 'now'>;
  /** The broker’s, for its proxies. */
  environment: ProxyEnvironment;
}

export interface StsQuestion extends Pick<AskedSts, 'account' | 'role' | 'proof' | 'proofHint'> {
  action: 'AssumeRole' | 'AssumeRoleWithWebIdentity';
  region: string;
  /** Another address than the region’s own. */
  endpoint: string | undefined;
  sessionName: string | undefined;
  /** What the action wants beside the role. */
  parameters: Readonly<Record<string, string>>;
  /** It is signed with these; null: the action wants no signature. */
  keys: AwsKeys | null;
}

/** `isProofOver`: other keys than those of the question might do. */
export type RoleKeys =
  | { ok: true; keys: AwsKeys; issuedAt: number; expiresAt: number; arn: string | null }
  | (Refusal & { isProofOver?: boolean });

/** An answer has a few kilobytes. */
const limits = { ...defaultHttpLimits, bodyBytes: 64 * 1024 };

const usualSessionName = 'lanyard';

/** Asks STS for keys of a role. Throws nothing; nothing of a token or key is in any message. */
export async function askSts(
  question: StsQuestion,
  { clock, environment }: StsDeps,
  signal: AbortSignal,
): Promise<RoleKeys> {
  const { account, action, region, endpoint, role, keys } = question;
  const address = endpoint === undefined ? stsAddress(region) : new URL(endpoint);
  const asked: AskedSts = { ...question, host: address.host };
  const body = new URLSearchParams({
    Action: action,
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: question.sessionName ?? usualSessionName,
    ...question.parameters,
  }).toString();
  let date: string | undefined;
  const fetch = createFetch({
    certificateAuthorityPem: null,
    loopbackHttp: address.protocol === 'http:' && isLoopbackHost(address.hostname),
    limits,
    proxy: (to) => chooseProxy(to, undefined, environment),
    onAnswer: (seen) => {
      date = seen.date;
    },
  });
  const now = clock.now();
  const headers =
    keys === null ? { 'content-type': formType } : signedFormHeaders({ address, region, keys, now }, body);
  let answer: Response;
  try {
    answer = await fetch(address.href, { method: 'POST', headers, body, signal });
  } catch (error) {
    if (!(error instanceof HttpFailure)) {
      throw error;
    }
    return refuse(
      error.kind === 'timeout' ? 'timedOut' : 'provider',
      'aws.sts.unreachable',
      `${account} can’t get its keys: ${address.host} ${failureText(error)}`,
      proxyHint(error.kind, null) ?? 'check the network',
    );
  }
  const read = readStsAnswer(action, await answer.text());
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const waits = Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {};
  switch (read.kind) {
    case 'error':
      return {
        ...stsRefusal(asked, read, clockOff(date, now)),
        ...waits,
        isProofOver: isProofOver(read.code),
      };
    case 'unreadable':
      return {
        ...refuse(
          'provider',
          'aws.sts.answer',
          `${address.host} answered ${account} with HTTP status ${answer.status} and nothing that STS says`,
          endpoint === undefined ? undefined : 'is stsEndpoint in config.yaml an address of STS?',
        ),
        ...waits,
      };
    case 'keys':
      return read.expiresAt <= now
        ? refuse(
            'provider',
            'aws.sts.expired',
            `${address.host} gave ${account} keys that have expired already`,
            'is this machine’s clock right?',
          )
        : { ok: true, keys: read.keys, issuedAt: now, expiresAt: read.expiresAt, arn: read.arn };
  }
}

/** Milliseconds that this machine is before (+) or behind (−) the answer’s Date; null: it had none. */
function clockOff(date: string | undefined, now: number): number | null {
  const then = Date.parse(date ?? '');
  return Number.isFinite(then) ? now - then : null;
}
