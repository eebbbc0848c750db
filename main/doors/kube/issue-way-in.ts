import type { Secret } from '../../base/secret.ts';
import { toRefusal } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { chainTargets } from '../../domain/proxy/chain-targets.ts';
import { clientListenerOf } from '../../domain/proxy/own-form.ts';
import { type ExecRequest, formatExecCredential } from '../../domain/server/exec-credential.ts';
import type { ClusterTarget } from '../../domain/target/cluster-target.ts';
import { nameOf } from '../../domain/target/target.ts';
import type { Caller } from '../../ports/caller.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { ClientListener, ProxyEntrance } from '../../ports/request-proxy.ts';
import { type IssueDeps, issue, type Permitted } from '../issue.ts';
import { recheck } from '../recheck.ts';

export interface IssueWayInDeps extends IssueDeps {
  proxy: ProxyEntrance;
}

/**
 * The way in of a proxied cluster, in place of its credential (docs/adr/0030). What the chain sends is obtained now, too:
 * here the user can log in, and see why something is missing.
 */
export async function issueWayIn(
  wanted: Permitted & { target: ClusterTarget; request: ExecRequest },
  deps: IssueWayInDeps,
): Promise<{ ok: true; text: string } | Refusal> {
  const { target, request, context } = wanted;
  const { cluster } = target;
  const { all, own: ownTarget } = chainTargets(cluster);
  const entered = await enter(cluster, request, context.caller, deps.proxy);
  if (!entered.ok) {
    return entered;
  }
  for (const other of all.filter((each) => each !== ownTarget)) {
    const found = deps.directory.account(other.account);
    // A program that signs is asked for each request, and gives nothing before.
    if (found.ok && found.account.kind === 'requestSigner') {
      continue;
    }
    const obtained = found.ok
      ? await issue(
          {
            ...wanted,
            account: found.account,
            target: other,
            isShared: true,
            format: () => ({ ok: true, text: '' }),
            // On record once it goes to the proxy.
            record: () => undefined,
          },
          deps,
        )
      : found;
    if (!obtained.ok) {
      return obtained;
    }
  }
  const { own } = entered;
  const text = formatExecCredential(request.apiVersion, {
    token: entered.token.reveal(),
    clientCertificateData: own?.clientCertificate?.certificate ?? null,
    clientKeyData: own?.clientCertificate?.key.reveal() ?? null,
    // Mostly as long as the process lives: a client that never asks again has no broken stream.
    expiresAt: entered.expiresAt,
    ...(own && { proxyConfig: { url: own.url, certificateAuthorityPem: own.certificateAuthority } }),
  });
  return wanted.account.kind === 'requestSigner'
    ? enterAlone(wanted, text, deps)
    : issue(
        {
          ...wanted,
          isShared: true,
          format: ({ credential }) => {
            deps.proxy.obtained(cluster, credential);
            return { ok: true, text };
          },
        },
        deps,
      );
}

/** A cluster whose account is a program that signs has no credential beside: the way in alone is on record. */
function enterAlone(
  wanted: Permitted,
  text: string,
  deps: IssueWayInDeps,
): { ok: true; text: string } | Refusal {
  const changed = recheck(wanted, deps);
  if (changed) {
    return changed;
  }
  const { target, record } = wanted;
  record({
    target: nameOf(target),
    audience: null,
    outcome: 'handedOut',
    reason: 'held',
    generation: null,
  });
  return { ok: true, text };
}

/** The way in, and the listener of the client’s own where it gets one. */
async function enter(
  cluster: LoadedCluster,
  { lockFilePath: lockFile }: ExecRequest,
  caller: Caller,
  proxy: ProxyEntrance,
): Promise<{ ok: true; token: Secret; expiresAt: number | null; own: ClientListener | null } | Refusal> {
  if (!caller.sure) {
    return refuse(
      'notPermitted',
      'proxy.caller',
      'the calling program ended or changed while it was identified, and the way into the request proxy is for one program',
      'try again',
    );
  }
  try {
    const { token, expiresAt } = await proxy.wayIn(cluster, caller);
    const config = clientListenerOf(cluster, lockFile);
    const own = config && (await proxy.clientListener(cluster, caller, { lockFile, config }));
    return { ok: true, token, expiresAt, own };
  } catch (error) {
    return toRefusal(error);
  }
}
