import type { CredentialProviderConfig } from '../../contract/config/accounts/image-plugins.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { flightKey, type ServiceAccountPull, triedKeys } from '../../domain/image/cache-rules.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { ServiceAccount } from '../../ports/account.ts';

/** What the plugin is asked for. */
export interface Pull {
  image: string;
  /** What it gets of the service account; null: nothing. */
  serviceAccount: ServiceAccountPull | null;
  /** The keys of its cached answers, in the order in which they are tried. */
  tried: readonly string[];
  /** Pulls with one key share a run of the plugin. */
  flight: string;
}

/**
 * What the plugin gets of a request, by the kubelet’s rules (KEP-2133/service-accounts): nothing without
 * `tokenAttributes`; with them the token, and those annotations that they name. Where a kubelet would not run the plugin,
 * this is a refusal. A request names no service account, and what the token says of itself is not verified: so answers
 * are cached by the whole token, whatever `cacheType` says (rule: service-account-token).
 */
export function readPull(
  name: string,
  attributes: CredentialProviderConfig['tokenAttributes'],
  image: string,
  asked: ServiceAccount | undefined,
): { ok: true; pull: Pull } | Refusal {
  let serviceAccount: ServiceAccountPull | null = null;
  if (attributes) {
    const needed = attributes.requiredServiceAccountAnnotationKeys ?? [];
    const missing = asked && needed.find((key) => !asked.annotations.has(key));
    if (missing !== undefined) {
      return refuse(
        'notPermitted',
        'credentialProvider.annotation',
        `the plugin of ${name} needs the annotation ${visibleText(missing, 200)} of the pod’s service account, and the request has none`,
        'set it on the service account, or remove the key from tokenAttributes in config.yaml',
      );
    }
    if (!asked && attributes.requireServiceAccount !== false) {
      return refuse(
        'notPermitted',
        'credentialProvider.noToken',
        `the plugin of ${name} needs a pod’s service account token, and the request has none`,
        'give the kubelet the output of: lanyard image config (to try it: lanyard image get IMAGE --service-account-token-file FILE)',
      );
    }
    const named = [...needed, ...(attributes.optionalServiceAccountAnnotationKeys ?? [])];
    serviceAccount = asked
      ? {
          namespace: '',
          name: '',
          uid: '',
          annotations: new Map([...asked.annotations].filter(([key]) => named.includes(key))),
          token: asked.token,
          cacheType: 'Token',
        }
      : null;
  }
  const tried = triedKeys(image, serviceAccount);
  const flight = flightKey(image, serviceAccount);
  const fault = [tried, flight].find((each) => !each.ok);
  return tried.ok && flight.ok
    ? { ok: true, pull: { image, serviceAccount, tried: tried.keys, flight: flight.key } }
    : refuse(
        'usage',
        'credentialProvider.key',
        `${name}: ${fault && 'message' in fault ? fault.message : ''}`,
      );
}
