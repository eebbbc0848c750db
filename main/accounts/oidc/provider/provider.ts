import {
  allowInsecureRequests,
  Configuration,
  customFetch,
  discovery,
  None,
  type ServerMetadata,
} from 'openid-client';
import type { Secret } from '../../../base/secret.ts';
import { SingleFlight } from '../../../base/single-flight.ts';
import { isLoopbackHost } from '../../../contract/config/url-rules.ts';
import { parseUrl } from '../../../contract/parse-url.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import {
  createFetch,
  type Fetch,
  type HttpLimits,
  type HttpOptions,
  type HttpRequest,
} from '../../../platform/network/bounded-fetch.ts';
import { chooseProxy, type ProxyEnvironment } from '../../../platform/network/choose-proxy.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ClientKeysConfig } from '../client/client-keys.ts';
import type { ClientProof } from '../client/client-proof.ts';
import { displayText } from '../display-text.ts';
import { withOAuthError, withPresentFields } from './answers.ts';
import { authenticateClient } from './client-authentication.ts';
import { type ClientCheckResult, checkClient } from './client-check.ts';
import { type ClockCheck, createClockCheck, type TokenSeen } from './clock-check.ts';
import { refuseProblem, type Step } from './problem-table.ts';
import { type ProviderProblem, problemOf } from './provider-problem.ts';
import { createSignatureCheck, type SignatureCheck } from './signature.ts';

export interface ProviderOptions {
  account: string;
  issuer: string;
  clientId: string;
  certificateAuthorityPem: string | null;
  /** The account's own proxy; without it the environment's counts. */
  proxyUrl: string | undefined;
  environment: ProxyEnvironment;
  extraHeaders: Readonly<Record<string, string>>;
  /** The accounts that have the client’s keys, for messages. */
  keys: ClientKeysConfig;
  /** What the client proves itself with before its secret; read again by each `know`. */
  readProof(): Promise<{ ok: true; proof: ClientProof } | Refusal>;
  limits: HttpLimits;
  clock: Pick<Clock, 'now' | 'boottime'>;
}

/** What is known of the provider, from its discovery document. */
export interface KnownProvider {
  metadata: ServerMetadata;
  checkSignature: SignatureCheck;
  /** What the client proves itself with before its secret. */
  proof: ClientProof;
}

type Found = Omit<KnownProvider, 'proof'>;

/** One provider, as one account sees it. */
export interface Provider {
  /** Host and port, for messages. */
  readonly host: string;
  /** The issuer is plain http on loopback: its pages may be, too. */
  readonly loopbackHttp: boolean;
  /** Discovers the provider, or takes what was found within the last hour. */
  know(): Promise<({ ok: true } & KnownProvider) | Refusal>;
  /** The same with what the client proves itself with now: the user may have taken minutes since `know`. */
  prove(known: { ok: true } & KnownProvider): Promise<{ ok: true } & KnownProvider>;
  /** How far this machine's clock is before (+) or behind (−) the provider's; null: it isn't, or unknown. */
  clockOffSeconds(): number | null;
  /** The same as half a sentence for people. */
  clockSentence(): string | null;
  /** An id token came with the answer to the last request: it tells the provider's time where nothing else does. */
  sawToken(token: TokenSeen): void;
  /** A configuration of openid-client for one operation; `watch` sees each request and its answer. */
  configure(
    known: KnownProvider,
    clientSecret: Secret | null,
    watch: Watch,
    signal?: AbortSignal,
  ): Configuration;
  /** The provider's answer to a page request without the user: no cookies, no redirect followed. Null: no answer. */
  readPage(url: string, signal: AbortSignal): Promise<ProviderPage | null>;
  /** `presented`: secrets in the request, which an answer may repeat. */
  refuse(error: unknown, step: Step, presented?: readonly Secret[]): Refusal;
  refuseProblem(problem: ProviderProblem, step: Step): Refusal;
  /**
   * Discovers the provider again, past all caches, without a secret; what `know` has found stays. `isPublic`: the
   * client has neither secret nor key, so that the provider can be asked whether it knows it. `isApproved`: the user
   * has approved the account; else only the issuer's own origin is asked: who chose the issuer must choose no other
   * address.
   */
  examine(signal: AbortSignal, client: { isPublic: boolean; isApproved: boolean }): Promise<ProviderLook>;
}

/** `location`: where it leads, as it was sent; null: nowhere. */
export interface ProviderPage {
  status: number;
  text: string;
  location: string | null;
}

/** The result of one check of the provider. */
export interface ProviderLook {
  /** Null: it answers, and is the issuer. */
  refusal: Refusal | null;
  /** What it says of itself; null: it didn't answer, or is another. */
  metadata: ServerMetadata | null;
  /** How far this machine's clock is off, as half a sentence; null: it isn't, or the answer didn't tell. */
  clock: string | null;
  client: ClientCheckResult;
  /** Host and port of the proxy that it is reached through; null: directly. */
  proxy: string | null;
}

/** Called for each request to the provider; returns its response. */
export type Watch = (url: string, send: () => Promise<Response>) => Promise<Response>;

const discoveryLifeMilliseconds = 3_600_000;

export function createProvider(options: ProviderOptions): Provider {
  const { account, issuer, clientId, limits, clock } = options;
  const address = new URL(issuer);
  const loopbackHttp = address.protocol === 'http:' && isLoopbackHost(address.hostname);
  const clockCheck = createClockCheck(clock);
  const proxyFor = (address: URL) => chooseProxy(address, options.proxyUrl, options.environment);
  const fetchWith = (
    check: ClockCheck,
    more: Pick<HttpOptions, 'extraHeaders' | 'clientCertificate'> = {},
  ): Fetch =>
    createFetch({
      ...more,
      certificateAuthorityPem: options.certificateAuthorityPem,
      loopbackHttp,
      limits,
      proxy: proxyFor,
      extraHeaders: { ...options.extraHeaders, ...more.extraHeaders },
      onAnswer: check.saw,
    });
  const fetch = fetchWith(clockCheck);
  const flights = new SingleFlight<'discovery', ({ ok: true } & Found) | Refusal>();
  let cached: { found: Found; at: number } | null = null;
  let proven: ClientProof | null = null;
  const readProof = async () => {
    const read = await options.readProof();
    proven = read.ok ? read.proof : proven;
    return read;
  };

  const refuseThis = (problem: ProviderProblem, step: Step, check = clockCheck) =>
    refuseProblem(problem, step, {
      host: address.host,
      account,
      clock: check.sentence(address.host),
      config: { ...options.keys, proxyUrl: options.proxyUrl },
      proof: proven,
    });

  /** The provider's metadata by `fetch`, checked to be the issuer's. */
  async function ask(
    fetch: Fetch,
    check: ClockCheck,
    signal?: AbortSignal,
  ): Promise<{ ok: true; metadata: ServerMetadata } | Refusal> {
    let metadata: ServerMetadata;
    try {
      const found = await discovery(address, clientId, undefined, None(), {
        [customFetch]: (url, request) =>
          fetch(url, { ...(request as HttpRequest), ...(signal !== undefined && { signal }) }).then(
            withPresentFields,
          ),
        ...(loopbackHttp ? { execute: [allowInsecureRequests] } : {}),
      });
      metadata = found.serverMetadata();
    } catch (error) {
      const problem = problemOf(error);
      return refuseThis(
        problem.kind === 'issuerMismatch' ? { ...problem, detail: foundIssuer(error) } : problem,
        'discovery',
        check,
      );
    }
    // openid-client compares parsed URLs; OpenID Connect Discovery 4.3 wants the very same text.
    if (metadata.issuer !== issuer) {
      const detail = displayText(metadata.issuer);
      return refuseThis({ kind: 'issuerMismatch', detail, oauthError: null, status: null }, 'discovery');
    }
    return { ok: true, metadata };
  }

  async function discover(): Promise<({ ok: true } & Found) | Refusal> {
    const asked = await ask(fetch, clockCheck);
    if (!asked.ok) {
      return asked;
    }
    const { metadata } = asked;
    const found = { metadata, checkSignature: createSignatureCheck(metadata.jwks_uri, fetch, limits) };
    cached = { found, at: clock.boottime() };
    return { ok: true, ...found };
  }

  async function find(): Promise<({ ok: true } & Found) | Refusal> {
    return cached && clock.boottime() - cached.at < discoveryLifeMilliseconds
      ? { ok: true, ...cached.found }
      : flights.run('discovery', discover);
  }

  return {
    host: address.host,
    loopbackHttp,
    async know() {
      const found = await find();
      if (!found.ok) {
        return found;
      }
      const read = await readProof();
      return read.ok ? { ...found, proof: read.proof } : read;
    },
    async prove(known) {
      const read = await readProof();
      // What can't be read now is the provider's to refuse: it may still take what was read before.
      return read.ok ? { ...known, proof: read.proof } : known;
    },
    sawToken: clockCheck.sawToken,
    clockOffSeconds: () => clockCheck.offSeconds(),
    clockSentence: () => clockCheck.sentence(address.host),
    configure({ metadata, proof }, clientSecret, watch, signal) {
      const configuration = new Configuration(
        metadata,
        clientId,
        // RFC 8705, 5: where a provider takes certificates elsewhere, it says so.
        proof.certificate ? { use_mtls_endpoint_aliases: true } : undefined,
        authenticateClient(metadata, proof, clientSecret),
      );
      const send = proof.certificate
        ? fetchWith(clockCheck, { clientCertificate: proof.certificate })
        : fetch;
      if (loopbackHttp) {
        allowInsecureRequests(configuration);
      }
      configuration[customFetch] = (url, request) =>
        watch(url, () => send(url, { ...(request as HttpRequest), signal }).then(withOAuthError));
      return configuration;
    },
    async readPage(url, signal) {
      try {
        const answer = await fetch(url, { method: 'GET', headers: { accept: 'text/html' }, signal });
        const location = answer.headers.get('location');
        return { status: answer.status, text: await answer.text(), location };
      } catch {
        return null; // a page that isn't there shows in the browser
      }
    },
    refuse: (error, step, presented) => refuseThis(problemOf(error, presented), step),
    refuseProblem: (problem, step) => refuseThis(problem, step),
    async examine(signal, { isPublic, isApproved }) {
      const check = createClockCheck(clock, { pastCaches: true });
      const asked = await ask(
        fetchWith(check, { extraHeaders: { 'cache-control': 'no-cache' } }),
        check,
        signal,
      );
      const client =
        asked.ok && isPublic && (isApproved || isAt(address, asked.metadata.token_endpoint))
          ? await checkClient(asked.metadata, clientId, 'http://127.0.0.1/callback', fetch, signal)
          : 'untold';
      const choice = proxyFor(address);
      return {
        refusal: asked.ok ? null : asked,
        metadata: asked.ok ? asked.metadata : null,
        client,
        clock: clockCheck.sentence(address.host) ?? check.sentence(address.host),
        proxy: choice.kind === 'proxy' ? choice.proxy.name : null,
      };
    },
  };
}

/** The endpoints of a discovery document are unchecked values. */
function isAt({ origin }: URL, endpoint: unknown): boolean {
  return typeof endpoint === 'string' && parseUrl(endpoint)?.origin === origin;
}

/** The issuer that a discovery document named, out of openid-client's error. */
function foundIssuer(error: unknown): string | null {
  const body = (error as { cause?: { body?: { issuer?: unknown } } }).cause?.body;
  return typeof body?.issuer === 'string' ? displayText(body.issuer) : null;
}
