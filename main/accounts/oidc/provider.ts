import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  None,
  type ServerMetadata,
} from 'openid-client';
import type { Secret } from '../../base/secret.ts';
import { SingleFlight } from '../../base/single-flight.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { isLoopbackHost } from '../../contract/url-rules.ts';
import type { Clock } from '../../ports/clock.ts';
import { displayText } from './display-text.ts';
import { createFetch, type Fetch, type HttpLimits, type HttpRequest } from './http.ts';
import { refuseProblem, type Step } from './problem-table.ts';
import { type ProviderProblem, problemOf } from './provider-problem.ts';
import { createSignatureCheck, type SignatureCheck } from './signature.ts';

export interface ProviderOptions {
  account: string;
  issuer: string;
  clientId: string;
  certificateAuthorityPem: string | null;
  limits: HttpLimits;
  clock: Pick<Clock, 'boottime'>;
}

/** What is known of the provider, from its discovery document. */
export interface KnownProvider {
  metadata: ServerMetadata;
  checkSignature: SignatureCheck;
}

/** One provider, as one account sees it. */
export interface Provider {
  /** Host and port, for messages. */
  readonly host: string;
  /** The issuer is plain http on loopback: its pages may be, too. */
  readonly loopbackHttp: boolean;
  /** Discovers the provider, or takes what was found within the last hour. */
  know(): Promise<({ ok: true } & KnownProvider) | Refusal>;
  /** A configuration of openid-client for one operation; `watch` sees each request and its answer. */
  configure(
    known: KnownProvider,
    clientSecret: Secret | null,
    watch: Watch,
    signal?: AbortSignal,
  ): Configuration;
  /** `presented`: secrets that the request held, which an answer may repeat. */
  refuse(error: unknown, step: Step, presented?: readonly Secret[]): Refusal;
  refuseProblem(problem: ProviderProblem, step: Step): Refusal;
}

/** Sees a request to the provider; hands back what to do with its answer. */
export type Watch = (url: string, send: () => Promise<Response>) => Promise<Response>;

const discoveryLifeMilliseconds = 3_600_000;

export function createProvider(options: ProviderOptions): Provider {
  const { account, issuer, clientId, limits, clock } = options;
  const address = new URL(issuer);
  const loopbackHttp = address.protocol === 'http:' && isLoopbackHost(address.hostname);
  const fetch: Fetch = createFetch({ ...options, loopbackHttp });
  const flights = new SingleFlight<'discovery', ({ ok: true } & KnownProvider) | Refusal>();
  let cached: { known: KnownProvider; at: number } | null = null;

  const refuseThis = (problem: ProviderProblem, step: Step) =>
    refuseProblem(problem, step, address.host, account);

  async function discover(): Promise<({ ok: true } & KnownProvider) | Refusal> {
    let metadata: ServerMetadata;
    try {
      const found = await discovery(address, clientId, undefined, None(), {
        [customFetch]: (url, request) => fetch(url, request as HttpRequest),
        ...(loopbackHttp ? { execute: [allowInsecureRequests] } : {}),
      });
      metadata = found.serverMetadata();
    } catch (error) {
      const problem = problemOf(error);
      return refuseThis(
        problem.kind === 'issuerMismatch' ? { ...problem, detail: foundIssuer(error) } : problem,
        'discovery',
      );
    }
    // openid-client compares parsed URLs; OpenID Connect Discovery 4.3 wants the very same text.
    if (metadata.issuer !== issuer) {
      const detail = displayText(metadata.issuer);
      return refuseThis({ kind: 'issuerMismatch', detail, oauthError: null, status: null }, 'discovery');
    }
    const known = { metadata, checkSignature: createSignatureCheck(metadata.jwks_uri, fetch, limits) };
    cached = { known, at: clock.boottime() };
    return { ok: true, ...known };
  }

  return {
    host: address.host,
    loopbackHttp,
    async know() {
      if (cached && clock.boottime() - cached.at < discoveryLifeMilliseconds) {
        return { ok: true, ...cached.known };
      }
      return flights.run('discovery', discover);
    },
    configure({ metadata }, clientSecret, watch, signal) {
      const configuration = new Configuration(
        metadata,
        clientId,
        undefined,
        clientSecret === null ? None() : authenticate(metadata, clientSecret),
      );
      if (loopbackHttp) {
        allowInsecureRequests(configuration);
      }
      configuration[customFetch] = (url, request) =>
        watch(url, () => fetch(url, { ...(request as HttpRequest), signal }));
      return configuration;
    },
    refuse: (error, step, presented) => refuseThis(problemOf(error, presented), step),
    refuseProblem: refuseThis,
  };
}

/** RFC 8414: without a list, client_secret_basic. */
function authenticate(metadata: ServerMetadata, clientSecret: Secret) {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const post = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  const secret = clientSecret.reveal();
  return post ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

/** The issuer that a discovery document named, out of openid-client's error. */
function foundIssuer(error: unknown): string | null {
  const body = (error as { cause?: { body?: { issuer?: unknown } } }).cause?.body;
  return typeof body?.issuer === 'string' ? displayText(body.issuer) : null;
}
