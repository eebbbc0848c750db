import { Secret } from '../../../main/base/secret.ts';
import { Keyring } from '../../../main/domain/image/auth-keys.ts';
import {
  cachePlace,
  isExpired,
  isSweepDue,
  type ServiceAccountPull,
  triedKeys,
} from '../../../main/domain/image/cache-rules.ts';
import type { CredentialProvider } from '../../../main/domain/image/credential-provider.ts';
import { imageTarget, matchesImage, parseImagePattern } from '../../../main/domain/image/image-pattern.ts';
import { encodeProviderRequest } from '../../../main/domain/image/provider-request.ts';
import type { ProviderResponse } from '../../../main/domain/image/provider-response.ts';
import { readProviderResponse } from '../../../main/domain/image/read-provider-response.ts';
import type { Step, StepAnswer } from './questions.ts';

type ProviderAnswer = StepAnswer['providers'][number];
type Auth = ProviderResponse['auth'];

const nothing: ProviderAnswer = { request: null, error: '', auth: {} };

/** Pulls one after the other, as the kubelet does, by Lanyard’s rules. */
export function runSession(configured: readonly CredentialProvider[], steps: readonly Step[]): StepAnswer[] {
  const providers = configured.map((provider) => new Provider(provider));
  return steps.map((step) => {
    const pulled = providers.map((provider) => provider.pull(step));
    const keyring = new Keyring<readonly [string, string]>(pulled.map(({ auth }) => Object.entries(auth)));
    return {
      providers: pulled,
      found: keyring.lookup(step.image).map(([userName]) => userName),
      cached: providers.map((provider) => provider.cached),
    };
  });
}

class Provider {
  readonly #provider: CredentialProvider;
  readonly #cache = new Map<string, { expiresAt: number; auth: Auth }>();
  #lastSweep = 0;

  constructor(provider: CredentialProvider) {
    this.#provider = provider;
  }

  get cached(): number {
    return this.#cache.size;
  }

  pull(step: Step): ProviderAnswer {
    const account = this.#accountOf(step);
    if (!this.#covers(step.image) || account === 'none') {
      return nothing;
    }
    const tried = triedKeys(step.image, account);
    if (!tried.ok) {
      return { ...nothing, error: tried.message };
    }
    const auth = this.#find(tried.keys, step.at);
    return auth ? { ...nothing, auth: shown(auth) } : this.#run(step, account);
  }

  #covers(image: string): boolean {
    const target = imageTarget(image);
    return this.#provider.matchImages.some((pattern) => {
      const parsed = parseImagePattern(pattern);
      return parsed.ok && matchesImage(parsed.pattern, target);
    });
  }

  /** `none`: the provider isn't asked. */
  #accountOf({
    serviceAccount,
    uid = '',
    token = '',
    annotations = {},
  }: Step): ServiceAccountPull | null | 'none' {
    const tokens = this.#provider.tokenAttributes;
    if (!tokens || !serviceAccount) {
      return tokens?.isRequired ? 'none' : null;
    }
    const asked = [...tokens.requiredAnnotationKeys, ...tokens.optionalAnnotationKeys];
    return tokens.requiredAnnotationKeys.every((key) => Object.hasOwn(annotations, key))
      ? {
          namespace: 'default',
          name: serviceAccount,
          uid,
          annotations: new Map(Object.entries(annotations).filter(([key]) => asked.includes(key))),
          token: new Secret(token),
          cacheType: tokens.cacheType,
        }
      : 'none';
  }

  #find(keys: readonly string[], now: number): Auth | null {
    if (isSweepDue(this.#lastSweep, now)) {
      this.#drop(this.#cache.keys(), now);
      this.#lastSweep = now;
    }
    for (const key of keys) {
      this.#drop([key], now);
      const entry = this.#cache.get(key);
      if (entry) {
        return entry.auth;
      }
    }
    return null;
  }

  #drop(keys: Iterable<string>, now: number): void {
    for (const key of keys) {
      const entry = this.#cache.get(key);
      if (entry && isExpired(entry, now)) {
        this.#cache.delete(key);
      }
    }
  }

  #run({ at, image, prints }: Step, account: ServiceAccountPull | null): ProviderAnswer {
    const { name, apiVersion, defaultCacheMilliseconds } = this.#provider;
    const request = encodeProviderRequest({
      apiVersion,
      image,
      serviceAccountToken: account?.token ?? null,
      serviceAccountAnnotations: account?.annotations ?? new Map(),
    }).reveal();
    const read = readProviderResponse(new Secret(prints[name] ?? ''), {
      apiVersion,
      serviceAccount: account,
    });
    if (!read.ok) {
      return { request, error: read.message, auth: {} };
    }
    const place = cachePlace(image, account, read.response, { now: at, defaultCacheMilliseconds });
    if (place) {
      this.#cache.set(place.key, { expiresAt: place.expiresAt, auth: read.response.auth });
    }
    return { request, error: '', auth: shown(read.response.auth) };
  }
}

function shown(auth: Auth): ProviderAnswer['auth'] {
  return Object.fromEntries(
    [...auth].map(([key, { userName, password }]) => [key, [userName, password.reveal()]]),
  );
}
