import { z } from 'zod';
import { raceAbort } from '../base/abort.ts';
import { parseJson } from '../base/parse-json.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { visibleLine } from '../domain/text/visible-text.ts';
import { statusVerdict } from '../grants/status-verdict.ts';
import type { ClusterReach } from '../kubernetes/cluster-reach.ts';
import { keepConnections, type OpenAnswer, openAnswer, readPieces } from '../kubernetes/open-answer.ts';
import { failureText } from '../platform/network/failure-text.ts';
import { HttpFailure } from '../platform/network/http-failure.ts';
import type { Credential, Obtained } from '../ports/account.ts';
import type { LoadedCluster } from '../ports/config-store.ts';
import type { Verdict } from '../ports/target-probe.ts';
import { hubLimits } from './hub-limits.ts';
import { SourceFault, type SourceFaultCode } from './source-fault.ts';

/** The API server of a hub, with the credential that it is asked with. */
export interface HubConnection {
  /** With its port where that isn’t https’s, for messages. */
  readonly host: string;
  /**
   * Resolves where the hub answers 200. Who opens an answer ends it. `asking`: there is a credential, and it is asked
   * now. Throws SourceFault.
   */
  open(path: string, signal: AbortSignal, asking?: () => void): Promise<OpenAnswer>;
}

export interface HubAccess {
  cluster: LoadedCluster;
  reach: ClusterReach;
  /**
   * The hub’s credential, for each request anew. Never asks the user. An asker that asks again had a 401: what is
   * rejected is renewed (rule: inferred-401).
   */
  obtain(asker: string, signal: AbortSignal): Promise<Obtained>;
  /** What the hub made of a credential. */
  saw(credential: Credential, verdict: Verdict): Promise<void>;
}

/** Kubernetes' word on what it denies. */
const status = z.object({ message: z.string().default('') });

export function connectHub(access: HubAccess): HubConnection {
  const { cluster, reach, saw } = access;
  // A list has many pages.
  const connections = keepConnections();
  const { host } = new URL(cluster.config.server);
  let asked = 0;
  const ask = async (path: string, credential: Credential, signal: AbortSignal): Promise<OpenAnswer> => {
    const question = { method: 'GET', path, credential, connections } as const;
    const answer = await openAnswer(cluster, reach, question, signal);
    await saw(credential, statusVerdict(answer.status));
    return answer;
  };
  return {
    host,
    async open(path, signal, asking) {
      const asker = `hub ${cluster.name} ${++asked}`;
      try {
        const credential = await credentialOf(access, asker, signal);
        asking?.();
        let answer = await ask(path, credential, signal);
        if (answer.status === 401) {
          answer.end();
          const renewed = await credentialOf(access, asker, signal);
          if (renewed === credential) {
            throw await faultOf(answer);
          }
          answer = await ask(path, renewed, signal);
        }
        if (answer.status === 200) {
          return answer;
        }
        try {
          throw await faultOf(answer);
        } finally {
          answer.end();
        }
      } catch (error) {
        throw hubFault(error, host, signal);
      }
    },
  };
}

/** Anything thrown on the way to a hub at `host`, as a fault of it. */
export function hubFault(error: unknown, host: string, signal: AbortSignal): SourceFault {
  if (error instanceof SourceFault) {
    return error;
  }
  if (error instanceof HttpFailure && error.kind !== 'timeout') {
    const { retryAfterSeconds = null } = error;
    const code = error.kind === 'status' ? 'status' : 'unreachable';
    return new SourceFault(code, `the hub ${host} ${failureText(error)}`, { retryAfterSeconds });
  }
  if (error instanceof HttpFailure || signal.aborted) {
    return new SourceFault('silent', `the hub ${host} did not answer in time`);
  }
  return error instanceof BrokerError
    ? new SourceFault('unreachable', `the hub can’t be asked: ${visibleLine(error.message, 300)}`)
    : new SourceFault('internal', 'something went wrong inside lanyard: its log says more', {
        goingOn: 'list',
        cause: error,
      });
}

async function credentialOf(
  { obtain }: Pick<HubAccess, 'obtain'>,
  asker: string,
  signal: AbortSignal,
): Promise<Credential> {
  const obtained = await raceAbort(obtain(asker, signal), signal).catch((error: unknown) => {
    throw signal.aborted ? new SourceFault('noCredential', 'no credential for the hub in time') : error;
  });
  if (!obtained.ok) {
    const why = visibleLine(obtained.message, 300);
    throw new SourceFault('noCredential', `no credential for the hub: ${why}`);
  }
  return obtained.credential;
}

const denials: Readonly<Record<number, readonly [SourceFaultCode, string]>> = {
  401: ['unauthorized', 'the hub rejects the credential (401)'],
  403: ['forbidden', 'the hub denies access to its ClusterProfiles (403)'],
  404: ['notServed', 'the hub has no ClusterProfiles (404): their CRD is not installed'],
  410: ['expired', 'the hub no longer knows what has changed since (410)'],
  429: ['throttled', 'the hub asks for fewer requests (429)'],
};

async function faultOf({ status: code, pieces, retryAfterSeconds }: OpenAnswer): Promise<SourceFault> {
  const [fault, text] = denials[code] ?? ['status', `the hub answers with HTTP status ${code}`];
  const said = code === 403 || code === 400 ? await messageOf(pieces) : '';
  return new SourceFault(fault, said === '' ? text : `${text}: ${said}`, {
    goingOn: code === 410 || code === 404 ? 'list' : 'watch',
    retryAfterSeconds,
  });
}

/** Says who may not do what, or what of a selector is wrong. Empty where it can't be read: the status says enough. */
async function messageOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  try {
    const text = (await readPieces(pieces, hubLimits.statusBytes)).toString('utf8');
    const read = status.safeParse(parseJson(text));
    return read.success ? visibleLine(read.data.message, 300) : '';
  } catch {
    return '';
  }
}
