import { STATUS_CODES } from 'node:http';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { ShownTry } from '../contract/shown-try.ts';
import { chainSteps } from '../domain/proxy/chain.ts';
import { shownSteps } from '../domain/proxy/shown-steps.ts';
import { tryAdvice } from '../domain/proxy/try-advice.ts';
import { joinedPathFault } from '../domain/server/joined-path.ts';
import type { Clock } from '../ports/clock.ts';
import type { ActiveConfig } from '../ports/config-store.ts';
import type { RequestProxy } from '../ports/request-proxy.ts';

export interface TryRequestDeps {
  requestProxy: Pick<RequestProxy, 'try'>;
  config: Pick<ActiveConfig, 'current'>;
  clock: Pick<Clock, 'now'>;
}

/** What every Kubernetes API server answers, mostly without looking who asks. */
export const defaultPath = '/version';

/**
 * Makes a request to a proxied cluster through its chain, and says what each step of config.yaml made of it. `path` as
 * the user types it. Refused as RequestProxy.try does.
 */
export async function tryRequest(
  { requestProxy, config, clock }: TryRequestDeps,
  cluster: string,
  path: string,
  signal: AbortSignal,
): Promise<{ ok: true; shown: ShownTry } | Refusal> {
  const asked = askedPath(path);
  if (asked === null) {
    return refuse(
      'usage',
      'proxy.path',
      'the path is below the cluster’s own address, with its query, such as /api/v1/pods?limit=5',
    );
  }
  const fault = joinedPathFault(asked.replace(/\?.*$/s, ''));
  if (fault !== null) {
    return refuse('usage', 'proxy.path', fault);
  }
  const answer = await requestProxy.try(cluster, asked, signal);
  if (!answer.ok) {
    return answer;
  }
  const { tried } = answer;
  // As it is now: where it has changed meanwhile, the steps are named by what they did.
  const { accounts, clusters } = config.current();
  const now = clusters.get(cluster)?.config;
  const [account, chain] = [now?.account ?? '', now?.proxy ? chainSteps(now.proxy) : []];
  const attempts = tried.attempts.map((attempt) => ({
    ...attempt,
    steps: shownSteps(attempt.steps, account, chain),
  }));
  const shown = { ...tried, attempts };
  return {
    ok: true,
    shown: {
      ...shown,
      cluster,
      method: 'GET',
      statusWords: STATUS_CODES[tried.answer?.status ?? 0] ?? '',
      advice: tryAdvice(shown, { cluster, account, chain, accounts }, clock.now()),
    },
  };
}

/**
 * With what a path can’t have escaped, as browsers do; what is escaped stays. Null: it is an address, has a fragment, or is
 * too long for any server.
 */
function askedPath(typed: string): string | null {
  const text = typed.trim();
  if (text.length > 8192 || text.includes('#') || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return null;
  }
  const path = text === '' ? defaultPath : text.startsWith('/') ? text : `/${text}`;
  return path.isWellFormed()
    ? path.replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, (character) => encodeURIComponent(character))
    : null;
}
