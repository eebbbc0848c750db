import { credentialProviderAccount } from '../contract/config/accounts/image-plugins.ts';
import { loaderFault, mayReachPlugin } from '../contract/loader-variables.ts';
import { checkTokenAttributes } from '../domain/image/check-token-attributes.ts';
import { reservedParamFault } from '../domain/login/login-rules.ts';
import { list, type Report } from './finding.ts';
import { isMapping } from './is-mapping.ts';
import type { Path } from './yaml-text.ts';

/** The apiVersion rules of client-go. */
export function reportPluginRules(raw: unknown, path: Path, report: Report): void {
  if (!isMapping(raw)) {
    return;
  }
  if (raw['apiVersion'] === 'client.authentication.k8s.io/v1' && raw['interactiveMode'] === undefined) {
    const text =
      'interactiveMode is missing: client.authentication.k8s.io/v1 requires it (Never, IfAvailable or Always)';
    report('error', path, text);
  }
  if (raw['apiVersion'] === 'client.authentication.k8s.io/v1alpha1' && raw['passProxyConfig'] === true) {
    const text =
      'client.authentication.k8s.io/v1alpha1 tells a plugin no lock file (KEP-2718): use v1 or v1beta1';
    report('error', [...path, 'passProxyConfig'], text);
  }
}

/** Variables that are never passed to a plugin. */
export function reportRefusedVariables(raw: unknown, path: Path, report: Report): void {
  if (!isMapping(raw)) {
    return;
  }
  for (const [index, entry] of list(raw['env']).entries()) {
    const name = isMapping(entry) ? entry['name'] : undefined;
    if (typeof name === 'string' && !mayReachPlugin(name)) {
      report('error', [...path, 'env', index, 'name'], loaderFault);
    }
  }
  for (const [index, name] of list(raw['environment']).entries()) {
    if (typeof name === 'string' && !mayReachPlugin(name)) {
      report('error', [...path, 'environment', index], loaderFault);
    }
  }
}

export function reportReservedParams(raw: unknown, path: Path, report: Report): void {
  const params = isMapping(raw) ? raw['extraParams'] : null;
  for (const name of isMapping(params) ? Object.keys(params) : []) {
    const fault = reservedParamFault(name);
    if (fault !== null) {
      report('error', [...path, 'extraParams', name], fault, 'key');
    }
  }
}

/** The kubelet’s rules for `tokenAttributes`, in its words. */
export function reportTokenAttributes(raw: unknown, path: Path, report: Report): void {
  const parsed = credentialProviderAccount.shape.tokenAttributes.safeParse(
    isMapping(raw) ? raw['tokenAttributes'] : undefined,
  );
  if (!isMapping(raw) || !parsed.success) {
    return;
  }
  for (const error of checkTokenAttributes(parsed.data ?? null, String(raw['apiVersion'])).errors) {
    report('error', [...path, 'tokenAttributes'], error);
  }
}

/** Without a login there is no id token: without `token`, that flow uses the access token. */
export function reportClientIdToken(raw: unknown, path: Path, report: Report): void {
  const isWithoutLogin =
    isMapping(raw) && ['clientCredentials', 'serviceAccountToken'].includes(String(raw['flow']));
  if (isWithoutLogin && raw['token'] === 'id') {
    const text = `expected access: with flow ${raw['flow']} there is no login, so there is no id token`;
    report('error', [...path, 'token'], text);
  }
}

/** A CA is a file or data. With both, no rule could say which is used. */
export function reportTwoAuthorities(value: unknown, path: Path, report: Report): void {
  const both = value as { certificateAuthority?: unknown; certificateAuthorityData?: unknown } | null;
  if (both?.certificateAuthority !== undefined && both.certificateAuthorityData !== undefined) {
    const text = 'there is certificateAuthority already; leave one of them out';
    report('error', [...path, 'certificateAuthorityData'], text);
  }
}
