import { identityTokenUser } from '../contract/identity-token.ts';
import { type AuthChallenge, parseChallenges } from '../domain/image/auth-challenge.ts';
import { isClosedAddress } from '../domain/image/closed-addresses.ts';
import { type RegistryOrigin, registryOrigin } from '../domain/image/registry-origin.ts';
import { defaultHttpLimits, type Fetch, type HttpOptions } from '../platform/network/bounded-fetch.ts';
import { chooseProxy, type ProxyEnvironment } from '../platform/network/choose-proxy.ts';
import { HttpFailure } from '../platform/network/http-failure.ts';
import { basicHeader, fetchToken } from './fetch-token.ts';
import { Decided, type RegistryQuestion, type RegistryVerdict } from './registry-question.ts';

export interface AskRegistryDeps {
  /** The proxies that apply, as for docker’s own requests. */
  environment: ProxyEnvironment;
  createFetch: (options: HttpOptions) => Fetch;
}

/** All requests of one test together, in milliseconds: the user is watching. */
const limitMilliseconds = 40_000;
/** Answers with a token are small, and of others no body is read (rule: bounded-input). */
const limits = { ...defaultHttpLimits, bodyBytes: 64 * 1024 };

/** What an image can be: an index or a manifest, docker’s or OCI’s. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/**
 * Asks a registry whether it accepts a login, as `docker login` does (GET /v2/), and whether that login may pull an
 * image (HEAD of its manifest). The first request has no credential: the challenge in its answer says where one goes.
 * It goes to the registry, and to a token server that may have it, and nowhere else (rule: realm-trust). Never throws.
 */
export async function askRegistry(
  question: RegistryQuestion,
  deps: AskRegistryDeps,
  signal: AbortSignal,
): Promise<RegistryVerdict> {
  const origin = registryOrigin(question.host);
  if (origin === null) {
    return unreachable(question.host, new HttpFailure('unknownHost', false));
  }
  try {
    return await new Asking(origin, question, deps, signal).verdict();
  } catch (error) {
    if (error instanceof Decided) {
      return error.verdict;
    }
    return unreachable(
      origin.authority,
      error instanceof HttpFailure ? error : new HttpFailure('unreachable', false),
    );
  }
}

/** What an answer without a credential told: where the API is, and what it wants. */
interface Seen {
  base: string;
  status: number;
  challenge: AuthChallenge | null;
}

class Asking {
  readonly #origin: RegistryOrigin;
  readonly #question: RegistryQuestion;
  readonly #deps: AskRegistryDeps;
  readonly #signal: AbortSignal;
  readonly #limit = AbortSignal.timeout(limitMilliseconds);
  /** A fetch reads all trusted CAs, which takes the thread some 20 ms: one for each kind. */
  readonly #fetches = new Map<boolean, Fetch>();
  #tokenServer: string | null = null;

  constructor(
    origin: RegistryOrigin,
    question: RegistryQuestion,
    deps: AskRegistryDeps,
    signal: AbortSignal,
  ) {
    this.#origin = origin;
    this.#question = question;
    this.#deps = deps;
    this.#signal = AbortSignal.any([signal, this.#limit]);
  }

  async verdict(): Promise<RegistryVerdict> {
    const { image } = this.#question;
    const seen = await this.#ping();
    if (seen.challenge) {
      const status = await this.#statusWith(seen.challenge, null, `${seen.base}/v2/`);
      if (status === 401 || status === 403) {
        return { kind: 'rejected', by: this.#registry, status };
      }
      if (status < 200 || status >= 300) {
        return this.#odd(status);
      }
    }
    if (image === null) {
      return seen.challenge
        ? { kind: 'accepted', tokenServer: this.#tokenServer, image: null }
        : { kind: 'open' };
    }
    return this.#pull(image, seen);
  }

  /** Whether the image can be pulled; its manifest alone is asked for, and not read. */
  async #pull(image: { path: string; reference: string }, seen: Seen): Promise<RegistryVerdict> {
    const address = `${seen.base}/v2/${image.path}/manifests/${image.reference}`;
    let { challenge } = seen;
    if (challenge === null) {
      const answer = await this.#send(address, 'HEAD', null);
      const { status } = answer;
      if (status !== 401) {
        return (status >= 200 && status < 300) || status === 404 ? { kind: 'open' } : this.#odd(status);
      }
      challenge = challengeOf(answer);
    }
    const status = await this.#statusWith(challenge, `repository:${image.path}:pull`, address).catch(
      (error) => {
        // The login was accepted before: what the token server denies now is the scope.
        if (seen.challenge && error instanceof Decided && error.verdict.kind === 'rejected') {
          throw new Decided({ ...error.verdict, kind: 'noAccess' });
        }
        throw error;
      },
    );
    switch (status) {
      case 200:
        return { kind: 'accepted', tokenServer: this.#tokenServer, image: 'found' };
      case 404:
        return { kind: 'accepted', tokenServer: this.#tokenServer, image: 'missing' };
      case 401:
      case 403:
        return { kind: 'noAccess', by: this.#registry, status };
      default:
        return this.#odd(status);
    }
  }

  get #registry() {
    return { host: this.#origin.authority, isTokenServer: false };
  }

  /** A loopback registry mostly speaks http. Without a credential, and only where no TLS is spoken, as docker does. */
  async #ping(): Promise<Seen> {
    const { authority, isLoopback } = this.#origin;
    const at = async (base: string): Promise<Seen> => {
      const answer = await this.#send(`${base}/v2/`, 'GET', null);
      const { status } = answer;
      if (status === 401) {
        return { base, status, challenge: challengeOf(answer) };
      }
      if (status >= 200 && status < 300) {
        return { base, status, challenge: null };
      }
      throw new Decided(status === 404 ? { kind: 'noRegistry', status } : this.#odd(status));
    };
    try {
      return await at(`https://${authority}`);
    } catch (error) {
      if (isLoopback && error instanceof HttpFailure && error.kind === 'tls') {
        return at(`http://${authority}`);
      }
      throw error;
    }
  }

  /** The status of a request with the credential, as the challenge wants it. */
  async #statusWith(challenge: AuthChallenge, scope: string | null, address: string): Promise<number> {
    const authorization = await this.#authorization(challenge, scope);
    return (await this.#send(address, scope === null ? 'GET' : 'HEAD', authorization)).status;
  }

  async #authorization(challenge: AuthChallenge, scope: string | null): Promise<string> {
    const { credential } = this.#question;
    if (challenge.scheme === 'basic') {
      if (credential.userName === identityTokenUser) {
        throw new Decided({ kind: 'identityToken', by: this.#registry });
      }
      return basicHeader(credential);
    }
    const { token, by } = await fetchToken(challenge, scope, this.#question, {
      origin: this.#origin,
      fetchFor: (checkAddress) => this.#fetch(checkAddress),
      signal: this.#signal,
    });
    this.#tokenServer = by;
    return `Bearer ${token.reveal()}`;
  }

  async #send(address: string, method: 'GET' | 'HEAD', authorization: string | null): Promise<Response> {
    return this.#fetch(false)(address, {
      method,
      headers: { accept: manifestTypes, ...(authorization !== null && { authorization }) },
      signal: this.#signal,
      withoutBody: true,
    });
  }

  #fetch(checkAddress: boolean): Fetch {
    const fetch = this.#fetches.get(checkAddress) ?? this.#makeFetch(checkAddress);
    this.#fetches.set(checkAddress, fetch);
    return fetch;
  }

  #makeFetch(checkAddress: boolean): Fetch {
    const { environment, createFetch: make } = this.#deps;
    const fetch = make({
      certificateAuthorityPem: null,
      loopbackHttp: this.#origin.isLoopback,
      limits,
      proxy: (address) => chooseProxy(address, undefined, environment),
      ...(checkAddress && { allowsAddress: (address: string) => !isClosedAddress(address) }),
    });
    return (url, request) =>
      fetch(url, request).catch((error: unknown) => {
        // The user waited; the servers took the whole time.
        throw this.#limit.aborted && error instanceof HttpFailure && error.kind === 'cancelled'
          ? new HttpFailure('timeout', error.sent)
          : error;
      });
  }

  #odd(status: number): RegistryVerdict {
    return status >= 300 && status < 400
      ? { kind: 'redirected', by: this.#registry }
      : { kind: 'unclear', by: this.#registry, status };
  }
}

/** Bearer before Basic, as docker prefers it. Throws Decided where there is neither. */
function challengeOf(answer: Response): AuthChallenge {
  const challenges = parseChallenges(answer.headers.get('www-authenticate') ?? '') ?? [];
  const found =
    challenges.find(({ scheme }) => scheme === 'bearer') ??
    challenges.find(({ scheme }) => scheme === 'basic');
  if (!found) {
    throw new Decided({ kind: 'noChallenge' });
  }
  return found;
}

function unreachable(host: string, failure: HttpFailure): RegistryVerdict {
  return { kind: 'unreachable', by: { host, isTokenServer: false }, failure };
}
