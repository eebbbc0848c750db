import type { z } from 'zod';
import { BrokerError, refusalError } from '../contract/broker-error.ts';
import type { uiCalls } from '../contract/ui/calls/index.ts';
import { observeFailure } from '../doctor/clusters/unreachable.ts';
import { tokenAudiences } from '../domain/credential/token-audiences.ts';
import { rejectedHint } from '../domain/text/rejected-hint.ts';
import type { WhoAmI } from '../kubernetes/who-am-i.ts';
import type { HttpFailureKind } from '../platform/network/http-failure.ts';
import type { Account, Credential, Obtained } from '../ports/account.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';
import type { LoadedCluster } from '../ports/config-store.ts';

export interface AskWhoAmIDeps {
  gate: Gate;
  directory: Pick<Directory, 'account' | 'cluster'>;
  /** Begins no login and runs no plugin. */
  peek(account: Account, cluster: LoadedCluster, signal: AbortSignal): Promise<Obtained>;
  whoAmI(cluster: LoadedCluster, credential: Credential, signal: AbortSignal): Promise<WhoAmI>;
}

/** What a cluster says, in words. */
export type WhoAmIAnswer = z.output<(typeof uiCalls)['cluster.whoAmI']['output']>;
type Failed = Extract<WhoAmIAnswer, { kind: 'failed' }>;

/** How long to wait for a server, in milliseconds: the user is watching. */
const limitMilliseconds = 15_000;

/** Asks a cluster for the identity of its cached credential. Throws where it may not be, or can't be, asked. */
export async function askWhoAmI(name: string, deps: AskWhoAmIDeps): Promise<WhoAmIAnswer> {
  const { cluster, account } = permitted(name, deps);
  const limited = AbortSignal.timeout(limitMilliseconds);
  const held = await deps.peek(account, cluster, limited);
  if (!held.ok) {
    throw refusalError(held);
  }
  // A renewal takes time: the vault may be locked now, or the name may have another server.
  if (permitted(name, deps).cluster !== cluster) {
    throw new BrokerError('cluster.changed', `${name} has changed meanwhile`, { hint: 'ask again' });
  }
  const rejected = rejectedHint({
    hasCertificate: held.credential.certificate !== null,
    audiences: tokenAudiences(held.credential),
    replacedBy: account.replacedBy,
  });
  return answerOf(await deps.whoAmI(cluster, held.credential, limited), cluster, rejected);
}

/** Nothing goes to a server that is not approved (rule: confirmed-binding), and nothing anywhere while locked. */
function permitted(name: string, { gate, directory }: Pick<AskWhoAmIDeps, 'gate' | 'directory'>) {
  const shut = gate();
  if (shut) {
    throw refusalError(shut);
  }
  const found = directory.cluster(name);
  if (!found.ok) {
    throw refusalError(found);
  }
  const account = directory.account(found.cluster.config.account);
  if (!account.ok) {
    throw refusalError(account);
  }
  return { cluster: found.cluster, account: account.account };
}

function answerOf(seen: WhoAmI, cluster: LoadedCluster, rejected: string): WhoAmIAnswer {
  const { host } = new URL(cluster.config.server);
  switch (seen.kind) {
    case 'known': {
      const { userName, uid, groups, extra } = seen;
      return {
        kind: 'known',
        userName,
        uid,
        groups: [...groups],
        extra: extra.map(({ name, values }) => ({ name, values: [...values] })),
      };
    }
    case 'rejected':
      return failed('rejected', `${host} doesn’t take the credential (401)`, rejected);
    case 'untold':
      return untold(host, seen.status);
    case 'unreachable': {
      const { message, hint } = observeFailure(cluster, seen.failure);
      return failed(whyOf(seen.failure.kind), message, hint);
    }
  }
}

function untold(host: string, status: number): Failed {
  if (status === 404) {
    return failed(
      'old',
      `${host} can’t tell: it is older than Kubernetes 1.26`,
      'ask it for something that you may see: kubectl auth can-i --list',
    );
  }
  return status === 403
    ? failed(
        'forbidden',
        `${host} knows the credential, and doesn’t let you ask who you are (403)`,
        'its administrator can allow it with the role system:basic-user',
      )
    : failed('untold', `${host} doesn’t tell who you are (HTTP status ${status})`, null);
}

function failed(why: Failed['why'], happened: string, hint: string | null): Failed {
  return { kind: 'failed', why, happened, hint };
}

function whyOf(kind: HttpFailureKind): Failed['why'] {
  if (kind.startsWith('proxy') || kind === 'requestProxy') {
    return 'proxy';
  }
  return [
    'unknownAuthority',
    'wrongHostName',
    'certificateDates',
    'certificate',
    'tls',
    'clientCertificate',
  ].includes(kind)
    ? 'tls'
    : 'unreachable';
}
