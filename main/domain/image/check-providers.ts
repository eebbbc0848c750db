import { formatGoDuration } from '../decode/go-duration.ts';
import { goQuote } from '../decode/go-quote.ts';
import { checkTokenAttributes } from './check-token-attributes.ts';
import type { CredentialProvider } from './credential-provider.ts';
import type { DecodedProvider } from './decode-provider-config.ts';
import { invalid, jsonText, notSupported, required, summary } from './field-errors.ts';
import { parseImagePattern } from './image-pattern.ts';
import { isProviderVersion, providerVersions } from './provider-versions.ts';

export type CheckedProviders =
  | { ok: true; providers: readonly CredentialProvider[] }
  /** All that is wrong. */
  | { ok: false; message: string };

/** Validates the providers of a configuration as the kubelet does (validateCredentialProviderConfig), in its words. */
export function checkProviders(decoded: readonly DecodedProvider[]): CheckedProviders {
  const errors =
    decoded.length === 0 ? [required('providers', 'at least 1 item in plugins is required')] : [];
  const providers = decoded.flatMap((provider) => {
    const checked = checkProvider(provider);
    errors.push(...checked.errors);
    return checked.provider ?? [];
  });
  return errors.length === 0 ? { ok: true, providers } : { ok: false, message: summary(errors) };
}

/** `provider`: null where there are errors. */
function checkProvider(decoded: DecodedProvider): { errors: string[]; provider: CredentialProvider | null } {
  const name = decoded.name ?? '';
  const matchImages = decoded.matchImages ?? [];
  const apiVersion = decoded.apiVersion ?? '';
  const duration = decoded.defaultCacheDuration ?? null;
  const tokens = checkTokenAttributes(decoded.tokenAttributes ?? null, apiVersion);
  const errors = [
    ...nameFaults(name).map((fault) => invalid('providers.name', goQuote(name), fault)),
    ...versionErrors(apiVersion),
    ...patternErrors(matchImages),
    ...durationErrors(duration),
    ...tokens.errors,
  ];
  if (errors.length > 0 || duration === null || !isProviderVersion(apiVersion)) {
    return { errors, provider: null };
  }
  return {
    errors,
    provider: {
      name,
      matchImages,
      defaultCacheMilliseconds: Number(duration) / 1e6,
      apiVersion,
      args: decoded.args ?? [],
      env: (decoded.env ?? []).map((variable) => ({
        name: variable.name ?? '',
        value: variable.value ?? '',
      })),
      tokenAttributes: tokens.attributes,
    },
  };
}

function nameFaults(name: string): string[] {
  return [
    ...(name.includes('/') ? ["provider name cannot contain '/'"] : []),
    ...(name.includes(' ') ? ['provider name cannot contain spaces'] : []),
    ...(name === '.' || name === '..' ? [`provider name cannot be '${name}'`] : []),
  ];
}

function versionErrors(apiVersion: string): string[] {
  const field = 'providers.apiVersion';
  if (apiVersion === '') {
    return [required(field)];
  }
  return isProviderVersion(apiVersion) ? [] : [notSupported(field, goQuote(apiVersion), providerVersions)];
}

function patternErrors(matchImages: readonly string[]): string[] {
  const field = 'providers.matchImages';
  if (matchImages.length === 0) {
    return [required(field, 'at least 1 item in matchImages is required')];
  }
  return matchImages.flatMap((pattern) => {
    const parsed = parseImagePattern(pattern);
    return parsed.ok ? [] : [invalid(field, goQuote(pattern), `match image is invalid: ${parsed.message}`)];
  });
}

function durationErrors(nanoseconds: bigint | null): string[] {
  const field = 'providers.defaultCacheDuration';
  if (nanoseconds === null) {
    return [required(field)];
  }
  return nanoseconds < 0n
    ? [invalid(field, jsonText(formatGoDuration(nanoseconds)), 'must be greater than or equal to 0')]
    : [];
}
