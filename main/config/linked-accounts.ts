import { account as accountSchema } from '../contract/config/accounts/account.ts';
import type { ConfigOf } from '../contract/config/config.ts';
import { readerLoop, secretReaderOf, secretReferenceOf } from '../domain/inventory/secret-reader.ts';
import { accountFault, additionFault, type Taker } from './account-fit.ts';
import { type Looking, list, type Raw } from './finding.ts';
import { isMapping } from './is-mapping.ts';
import { hasAwsKeys, signFault, unusedSigner } from './sign-fit.ts';
import { stepText } from './step-text.ts';
import type { Path } from './yaml-text.ts';

/** The account that an entry names is there, and can give what the entry wants of it. */
export function reportItsAccount(
  what: 'cluster' | 'provider' | 'registry',
  raw: unknown,
  path: Path,
  looking: Looking,
): void {
  const { account: name, audience, proxy, additionalArgs, additionalEnv } = isMapping(raw) ? raw : {};
  if (typeof name !== 'string') {
    return;
  }
  const isProxied = what === 'cluster' && proxy !== undefined;
  reportTakenAccount(isProxied ? 'proxiedCluster' : what, { name, audience }, path, looking);
  const { accounts, report } = looking;
  if (!Object.hasOwn(accounts, name)) {
    return;
  }
  for (const [key, added] of Object.entries({ additionalArgs, additionalEnv })) {
    const fault =
      what === 'cluster' && list(added).length > 0 ? additionFault(stepText(name), accounts[name]) : null;
    if (fault !== null) {
      report('error', [...path, key], fault);
    }
  }
}

/** The accounts of a chain are there, and have something that a header can carry; the proxy speaks TLS to the cluster. */
export function reportItsProxy(raw: unknown, path: Path, looking: Looking): void {
  const { proxy, server, account: own } = isMapping(raw) ? raw : {};
  if (!isMapping(proxy)) {
    return;
  }
  if (typeof own === 'string' && Object.hasOwn(looking.accounts, own)) {
    const unused = unusedSigner(own, looking.accounts[own], list(proxy['chain']));
    if (unused !== null) {
      looking.report('error', [...path, 'account'], unused);
    }
  }
  if (typeof server === 'string' && /^http:/i.test(server)) {
    looking.report('error', [...path, 'server'], 'the request proxy reaches servers by https:// alone');
  }
  for (const [index, step] of list(proxy['chain']).entries()) {
    const at = [...path, 'proxy', 'chain', index];
    const { account: name, audience, sign } = isMapping(step) ? step : {};
    if (typeof name === 'string') {
      reportTakenAccount('header', { name, audience }, at, looking);
    }
    if (typeof sign === 'string' && isMapping(step) && isThere(sign, [...at, 'sign'], looking)) {
      const fault = signFault(step, stepText(sign), looking.accounts[sign]);
      if (fault !== null) {
        looking.report('error', [...at, fault.key], fault.text);
      }
    }
  }
}

/** An account that is named somewhere: it is there, and has what is taken of it there. */
function reportTakenAccount(
  taker: Taker,
  { name, audience }: { name: string; audience: unknown },
  path: Path,
  looking: Looking,
): void {
  const { accounts, report } = looking;
  if (!isThere(name, [...path, 'account'], looking)) {
    return;
  }
  const used = accounts[name];
  const unfit = accountFault(taker, stepText(name), used);
  if (unfit !== null) {
    report(unfit.severity, [...path, 'account'], unfit.text);
  }
  if (audience !== undefined && isMapping(used) && !Object.hasOwn(used, 'oidc')) {
    const text = `a token for an audience is exchanged by an oidc account; ${stepText(name)} is none`;
    report('error', [...path, 'audience'], text);
  }
}

function isThere(name: string, path: Path, { accounts, reportMissing }: Looking): boolean {
  const isKnown = Object.hasOwn(accounts, name);
  if (!isKnown) {
    reportMissing('account', name, path);
  }
  return isKnown;
}

/** The account of an EKS token’s keys is there, and has AWS keys of its own. */
export function reportItsKeys(raw: unknown, path: Path, looking: Looking): void {
  const { accounts, report } = looking;
  const { account: name, role, sessionName, stsEndpoint } = isMapping(raw) ? raw : {};
  if (typeof name === 'string' && isThere(name, [...path, 'account'], looking)) {
    const used = accounts[name];
    if (isMapping(used) && !hasAwsKeys(used)) {
      const text = `an EKS token is made of AWS keys; ${stepText(name)} has none: name an account of kind aws or awsProcess`;
      report('error', [...path, 'account'], text);
    }
  }
  if (role === undefined) {
    for (const [key, value] of Object.entries({ sessionName, stsEndpoint })) {
      if (value !== undefined) {
        report('warning', [...path, key], 'goes with role: without one, STS is not asked');
      }
    }
  }
}

/** The accounts whose keys prove who the client is are there, and have a key on a token. */
export function reportItsTokens(raw: unknown, path: Path, looking: Looking): void {
  const oidc = isMapping(raw) ? raw : {};
  for (const key of ['clientKeyAccount', 'clientCertificateAccount']) {
    const name = oidc[key];
    if (typeof name === 'string' && isThere(name, [...path, key], looking)) {
      const used = looking.accounts[name];
      if (isMapping(used) && !Object.hasOwn(used, 'pkcs11')) {
        const text = `${stepText(name)} has no key on a token: name an account of kind pkcs11`;
        looking.report('error', [...path, key], text);
      }
    }
  }
  if (oidc['clientKeyId'] !== undefined && oidc['clientKeyAccount'] === undefined) {
    const text = 'goes with clientKeyAccount; a clientKey in the vault has its kid in its JWK';
    looking.report('warning', [...path, 'clientKeyId'], text);
  }
}

/** The hub of a secret reader is there, can be asked without the user, and its own credential comes from elsewhere. */
export function reportItsHub(
  account: string,
  raw: unknown,
  path: Path,
  { accounts, clusters, report, reportMissing }: Looking,
): void {
  const name = isMapping(raw) ? raw['cluster'] : undefined;
  if (typeof name !== 'string') {
    return;
  }
  const hub = Object.hasOwn(clusters, name) ? clusters[name] : undefined;
  if (hub === undefined) {
    reportMissing('cluster', name, [...path, 'cluster']);
    return;
  }
  const approval = isMapping(hub) ? hub['approval'] : undefined;
  if (approval !== undefined && approval !== null && approval !== 'never') {
    const text = `${stepText(name)} asks you before a credential goes to it (approval), and reading a Secret can’t wait for that`;
    report('error', [...path, 'cluster'], text);
  }
  const loop = readerLoop(account, (each) => accountOfRawHub(each, accounts, clusters));
  if (loop?.at(-1) === account) {
    const way = loop.map(stepText).join(' → ');
    const text = `the credential for the hub would come from the account itself: ${way}`;
    report('error', [...path, 'cluster'], text);
  }
}

/** The account of the hub of an account, as they are written. */
function accountOfRawHub(name: string, accounts: Raw, clusters: Raw): string | null {
  const account = Object.hasOwn(accounts, name) ? accounts[name] : undefined;
  const reader = isMapping(account) ? (account['secretReader'] ?? account['kubeconfigSecretReader']) : null;
  const cluster = isMapping(reader) ? reader['cluster'] : null;
  const hub = typeof cluster === 'string' && Object.hasOwn(clusters, cluster) ? clusters[cluster] : null;
  const its = isMapping(hub) ? hub['account'] : null;
  return typeof its === 'string' ? its : null;
}

/** A cluster whose account reads Secrets says which one is its own. */
export function reportItsSecret(
  cluster: ConfigOf<'cluster'> | null,
  path: Path,
  { accounts, report }: Looking,
): void {
  const used = cluster && Object.hasOwn(accounts, cluster.account) ? accounts[cluster.account] : null;
  const parsed = accountSchema.safeParse(used);
  const reader = parsed.success ? secretReaderOf(parsed.data) : null;
  const found = cluster && reader ? secretReferenceOf(reader, cluster.execConfig) : null;
  if (cluster && found?.ok === false) {
    const text = `the account ${stepText(cluster.account)} reads a Secret for each cluster, and this one ${found.fault}`;
    report('error', [...path, cluster.execConfig === undefined ? 'account' : 'execConfig'], text);
  }
}
