import { goQuote } from '../decode/go-quote.ts';
import type { TokenAttributes, TokenCacheType } from './credential-provider.ts';
import type { DecodedProvider } from './decode-provider-config.ts';
import { duplicate, forbidden, invalid, jsonText, notSupported, required } from './field-errors.ts';
import { labelKeyFaults } from './label-key.ts';
import { tokenVersion } from './provider-versions.ts';

type Decoded = NonNullable<DecodedProvider['tokenAttributes']>;

const field = 'providers.tokenAttributes';
const cacheTypes: readonly TokenCacheType[] = ['ServiceAccount', 'Token'];

/** Validates a provider's `tokenAttributes`; `attributes`: null where it has none. */
export function checkTokenAttributes(
  decoded: Decoded | null,
  apiVersion: string,
): { errors: string[]; attributes: TokenAttributes | null } {
  if (decoded === null) {
    return { errors: [], attributes: null };
  }
  const audience = decoded.serviceAccountTokenAudience ?? '';
  const isRequired = decoded.requireServiceAccount ?? null;
  const needed = decoded.requiredServiceAccountAnnotationKeys ?? [];
  const optional = decoded.optionalServiceAccountAnnotationKeys ?? [];
  const cacheType = decoded.cacheType ?? '';
  const errors = [
    ...(audience === '' ? [required(`${field}.serviceAccountTokenAudience`)] : []),
    ...(isRequired === null ? [required(`${field}.requireServiceAccount`)] : []),
    ...(apiVersion === tokenVersion
      ? []
      : [forbidden(field, `tokenAttributes is only supported for ${tokenVersion} API version`)]),
    ...(isRequired === false && needed.length > 0
      ? [
          forbidden(
            `${field}.requiredServiceAccountAnnotationKeys`,
            'requireServiceAccount cannot be false when requiredServiceAccountAnnotationKeys is set',
          ),
        ]
      : []),
    ...keyErrors(`${field}.requiredServiceAccountAnnotationKeys`, needed),
    ...keyErrors(`${field}.optionalServiceAccountAnnotationKeys`, optional),
    ...bothErrors(needed, optional),
    ...cacheTypeErrors(cacheType),
  ];
  return {
    errors,
    attributes: {
      audience,
      cacheType: cacheType === 'Token' ? cacheType : 'ServiceAccount',
      isRequired: isRequired ?? true,
      requiredAnnotationKeys: needed,
      optionalAnnotationKeys: optional,
    },
  };
}

function keyErrors(where: string, keys: readonly string[]): string[] {
  return keys.flatMap((key, index) => [
    ...labelKeyFaults(key.toLowerCase()).map((fault) => invalid(where, goQuote(key), fault)),
    ...(keys.indexOf(key) < index ? [duplicate(where, key)] : []),
  ]);
}

function bothErrors(needed: readonly string[], optional: readonly string[]): string[] {
  const both = [...new Set(needed)].filter((key) => optional.includes(key)).sort();
  return both.length > 0
    ? [invalid(field, jsonText(both), 'annotation keys cannot be both required and optional')]
    : [];
}

function cacheTypeErrors(cacheType: string): string[] {
  const where = `${field}.cacheType`;
  if (cacheType === '') {
    const values = cacheTypes.join(', ');
    return [
      required(
        where,
        `cacheType is required to be set when tokenAttributes is specified. Supported values are: ${values}`,
      ),
    ];
  }
  return (cacheTypes as readonly string[]).includes(cacheType)
    ? []
    : [notSupported(where, jsonText(cacheType), cacheTypes)];
}
