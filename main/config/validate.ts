import type { z } from 'zod';
import {
  type AccountConfig,
  type AccountKind,
  accountKinds,
  account as accountSchema,
  byGroup,
  type Config,
  type ConfigGroup,
  type ConfigOf,
  type ConfiguredKind,
  cluster as clusterSchema,
  config as configSchema,
  credentialProviderAccount,
  defaultSettings,
  groupOf,
  kindNames,
  registry as registrySchema,
  settingSchemas,
} from '../contract/config/config.ts';
import { inventory as inventorySchema } from '../contract/config/inventory.ts';
import { configName } from '../contract/config/names.ts';
import { loaderFault, mayReachPlugin } from '../contract/loader-variables.ts';
import { runsProgram } from '../contract/program-names.ts';
import { checkTokenAttributes } from '../domain/image/check-token-attributes.ts';
import { patternFault, samePatterns } from '../domain/image/pattern-fault.ts';
import { readerLoop, secretReaderOf, secretReferenceOf } from '../domain/inventory/secret-reader.ts';
import { reservedParamFault, sharedRedirects } from '../domain/login/login-rules.ts';
import { didYouMean } from '../domain/text/nearest-name.ts';
import { accountFault, additionFault, type Taker } from './account-fit.ts';
import { inventoryFaults } from './inventory-faults.ts';
import { isMapping } from './is-mapping.ts';
import { issueText } from './issue-text.ts';
import { secretKeys, toldKinds } from './refused-keys.ts';
import { hasAwsKeys, signFault, unusedSigner } from './sign-fit.ts';
import { stepText } from './step-text.ts';
import type { Path } from './yaml-text.ts';

/** A fault in the parsed value, before its line is known. */
export interface Finding {
  severity: 'error' | 'warning';
  path: Path;
  at: 'key' | 'value';
  /** Lower case; begins with the dotted path, such as `clusters.prod.server: `. */
  message: string;
  /** The message without the path. */
  text: string;
}

export interface Validated {
  /** The config without its faulty parts. Use it only where no finding is an error. */
  config: Config;
  findings: Finding[];
}

/** Comparing a name with all others takes time, and more suggestions are not read. */
const suggestionLimit = 100;

type Raw = Record<string, unknown>;
type Report = (severity: Finding['severity'], path: Path, message: string, at?: Finding['at']) => void;

/** Checks the plain value of config.yaml. Unknown keys of a cluster are errors (they are policy), others warnings. */
export function validateConfig(value: unknown): Validated {
  const findings: Finding[] = [];
  const report: Report = (severity, path, text, at = 'value') => {
    const where = path.length === 0 ? '' : `${path.map(stepText).join('.')}: `;
    findings.push({ severity, path, at, message: `${where}${text}`, text });
  };
  const config: Config = { version: 1, ...byGroup(() => ({})), ...defaultSettings };
  if (!isMapping(value)) {
    report('error', [], 'expected a mapping that begins with `version: 1`');
    return { config, findings };
  }
  if (!Object.hasOwn(value, 'version')) {
    report('error', [], 'version is missing; expected `version: 1`');
  } else if (value['version'] !== 1) {
    const newer = typeof value['version'] === 'number' && value['version'] > 1;
    report('error', ['version'], newer ? 'is of a newer Lanyard; this one knows 1' : 'expected 1');
  }
  const known = Object.keys(configSchema.shape);
  for (const key of Object.keys(value).filter((key) => !known.includes(key))) {
    report('warning', [key], `unknown key is ignored${didYouMean(key, known)}`, 'key');
  }
  const looking: Looking = {
    accounts: isMapping(value['accounts']) ? value['accounts'] : {},
    clusters: isMapping(value['clusters']) ? value['clusters'] : {},
    report,
    isFew: () => findings.length < suggestionLimit,
  };
  for (const kind of kindNames()) {
    const valid = entries(value, groupOf(kind), report).flatMap(([name, raw]) => {
      const entry = validators[kind](name, raw, looking);
      return entry ? [[name, entry]] : [];
    });
    Object.assign(config, { [groupOf(kind)]: Object.fromEntries(valid) });
  }
  const [first, ...more] = Object.entries(config.accounts).flatMap(([name, account]) =>
    'credentialHelper' in account && account.credentialHelper.fallback ? [name] : [],
  );
  for (const name of more) {
    const text = `${stepText(first ?? '')} is asked already for what has no other credential; one account at most`;
    report('error', ['accounts', name, 'credentialHelper', 'fallback'], text);
  }
  for (const { name, index, first } of samePatterns(config.registries)) {
    const text = `the registry ${stepText(first)} has this pattern already; give one of them calledAs, or another pattern`;
    report('error', ['registries', name, 'matchImages', index], text);
  }
  for (const { name, first } of sharedRedirects(config.accounts).filter(({ isBare }) => !isBare)) {
    const text = `${stepText(first)} has the same at another issuer; give each issuer its own path`;
    report('warning', ['accounts', name, 'oidc', 'redirectUri'], text);
  }
  for (const [key, schema] of Object.entries(settingSchemas)) {
    if (Object.hasOwn(value, key) && value[key] !== null) {
      Object.assign(config, {
        [key]: check(schema, key, value[key], [key], 'error', report) ?? schema.parse({}),
      });
    }
  }
  return { config, findings };
}

interface Looking {
  /** As they are written. */
  accounts: Raw;
  clusters: Raw;
  report: Report;
  /** So few findings that names like an unknown one are looked for. */
  isFew(): boolean;
}

/** Checks one entry; null: it can't be used. */
const validators: {
  [Kind in ConfiguredKind]: (name: string, raw: unknown, looking: Looking) => ConfigOf<Kind> | null;
} = {
  account: validateAccount,
  cluster: validateCluster,
  registry: validateRegistry,
  inventory: validateInventory,
};

function validateAccount(name: string, raw: unknown, looking: Looking): AccountConfig | null {
  const { report } = looking;
  const path = ['accounts', name];
  const kinds = Object.keys(accountKinds);
  if (!isMapping(raw)) {
    report('error', path, `expected a mapping with one of ${kinds.join(', ')}`);
    return null;
  }
  const keys = Object.keys(raw);
  const [kind, ...more] = keys.filter((key): key is AccountKind => kinds.includes(key));
  for (const key of more) {
    report('error', [...path, key], `an account has one kind; this one is ${kind} already`, 'key');
  }
  const others = keys.filter((key) => !kinds.includes(key));
  if (kind === undefined) {
    for (const key of others) {
      report('error', [...path, key], `unknown kind of account${didYouMean(key, kinds)}`, 'key');
    }
    if (keys.length === 0) {
      report('error', path, `expected one of ${kinds.join(', ')}`, 'key');
    }
    return null;
  }
  for (const key of others) {
    report('warning', [...path, key], `unknown key is ignored${didYouMean(key, kinds)}`, 'key');
  }
  const schema: z.ZodObject = accountKinds[kind];
  const result = check(schema, kind, raw[kind], [...path, kind], 'warning', report);
  reportTwoAuthorities(result, [...path, kind], report);
  if (runsProgram(kind)) {
    reportRefusedVariables(raw[kind], [...path, kind], report);
  }
  if (kind === 'execPlugin') {
    reportPluginRules(raw[kind], [...path, kind], report);
  }
  if (kind === 'credentialProvider') {
    reportTokenAttributes(raw[kind], [...path, kind], report);
  }
  if (kind === 'secretReader' || kind === 'kubeconfigSecretReader') {
    reportItsHub(name, raw[kind], [...path, kind], looking);
  }
  if (kind === 'awsEks') {
    reportItsKeys(raw[kind], [...path, kind], looking);
  }
  if (kind === 'oidc') {
    reportReservedParams(raw[kind], [...path, kind], report);
    reportClientIdToken(raw[kind], [...path, kind], report);
    reportItsTokens(raw[kind], [...path, kind], looking);
  }
  return result === null ? null : ({ [kind]: result } as AccountConfig);
}

function validateCluster(name: string, raw: unknown, looking: Looking) {
  const { report } = looking;
  const path = ['clusters', name];
  const parsed = check(clusterSchema, 'cluster', raw, path, 'error', report) as ConfigOf<'cluster'> | null;
  reportItsAccount('cluster', raw, path, looking);
  reportItsProxy(raw, path, looking);
  reportItsSecret(parsed, path, looking);
  reportTwoAuthorities(parsed, path, report);
  const authority = parsed?.certificateAuthority ?? parsed?.certificateAuthorityData;
  if (parsed?.insecureSkipTlsVerify && authority !== undefined) {
    const text = 'kubectl refuses a CA beside insecureSkipTlsVerify; leave one of them out';
    report('error', [...path, 'insecureSkipTlsVerify'], text);
  }
  return parsed;
}

function validateRegistry(name: string, raw: unknown, looking: Looking) {
  const { report } = looking;
  const path = ['registries', name];
  const parsed = check(registrySchema, 'registry', raw, path, 'error', report) as ConfigOf<'registry'> | null;
  reportItsAccount('registry', raw, path, looking);
  for (const [index, text] of list(isMapping(raw) ? raw['matchImages'] : undefined).entries()) {
    const fault = typeof text === 'string' ? patternFault(text) : null;
    if (fault !== null) {
      report('error', [...path, 'matchImages', index], fault);
    }
  }
  return parsed;
}

function validateInventory(name: string, raw: unknown, looking: Looking) {
  const { accounts, clusters, report, isFew } = looking;
  const path = ['inventories', name];
  const parsed = check(
    inventorySchema,
    'inventory',
    raw,
    path,
    'error',
    report,
  ) as ConfigOf<'inventory'> | null;
  const { cluster: hub, providers } = isMapping(raw) ? raw : {};
  // A cluster that a hub listed is none of config.yaml: no inventory is the hub of another, or of itself.
  if (typeof hub === 'string' && !Object.hasOwn(clusters, hub)) {
    const near = isFew() ? didYouMean(hub, Object.keys(clusters)) : '';
    report('error', [...path, 'cluster'], `there is no cluster ${stepText(hub)} in config.yaml${near}`);
  }
  for (const [index, provider] of list(providers).entries()) {
    reportItsAccount('provider', provider, [...path, 'providers', index], looking);
  }
  for (const { severity, path: below, text } of inventoryFaults(raw, accounts)) {
    report(severity, [...path, ...below], text);
  }
  return parsed;
}

/** The account that an entry names is there, and can give what the entry wants of it. */
function reportItsAccount(
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
function reportItsProxy(raw: unknown, path: Path, looking: Looking): void {
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

function isThere(name: string, path: Path, { accounts, report, isFew }: Looking): boolean {
  const isKnown = Object.hasOwn(accounts, name);
  if (!isKnown) {
    const near = isFew() ? didYouMean(name, Object.keys(accounts)) : '';
    report('error', path, `there is no account ${stepText(name)}${near}`);
  }
  return isKnown;
}

/** The account of an EKS token’s keys is there, and has AWS keys of its own. */
function reportItsKeys(raw: unknown, path: Path, { accounts, report, isFew }: Looking): void {
  const { account: name, role, sessionName, stsEndpoint } = isMapping(raw) ? raw : {};
  if (typeof name === 'string') {
    const used = Object.hasOwn(accounts, name) ? accounts[name] : undefined;
    if (!Object.hasOwn(accounts, name)) {
      const near = isFew() ? didYouMean(name, Object.keys(accounts)) : '';
      report('error', [...path, 'account'], `there is no account ${stepText(name)}${near}`);
    } else if (isMapping(used) && !hasAwsKeys(used)) {
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
function reportItsTokens(raw: unknown, path: Path, looking: Looking): void {
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
function reportItsHub(
  account: string,
  raw: unknown,
  path: Path,
  { accounts, clusters, report, isFew }: Looking,
): void {
  const name = isMapping(raw) ? raw['cluster'] : undefined;
  if (typeof name !== 'string') {
    return;
  }
  const hub = Object.hasOwn(clusters, name) ? clusters[name] : undefined;
  if (hub === undefined) {
    const near = isFew() ? didYouMean(name, Object.keys(clusters)) : '';
    report('error', [...path, 'cluster'], `there is no cluster ${stepText(name)}${near}`);
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
function reportItsSecret(
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

/** The apiVersion rules of client-go. */
function reportPluginRules(raw: unknown, path: Path, report: Report): void {
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
function reportRefusedVariables(raw: unknown, path: Path, report: Report): void {
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

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function reportReservedParams(raw: unknown, path: Path, report: Report): void {
  const params = isMapping(raw) ? raw['extraParams'] : null;
  for (const name of isMapping(params) ? Object.keys(params) : []) {
    const fault = reservedParamFault(name);
    if (fault !== null) {
      report('error', [...path, 'extraParams', name], fault, 'key');
    }
  }
}

/** The kubelet’s rules for `tokenAttributes`, in its words. */
function reportTokenAttributes(raw: unknown, path: Path, report: Report): void {
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
function reportClientIdToken(raw: unknown, path: Path, report: Report): void {
  const isWithoutLogin =
    isMapping(raw) && ['clientCredentials', 'serviceAccountToken'].includes(String(raw['flow']));
  if (isWithoutLogin && raw['token'] === 'id') {
    const text = `expected access: with flow ${raw['flow']} there is no login, so there is no id token`;
    report('error', [...path, 'token'], text);
  }
}

/** A CA is a file or data. With both, no rule could say which is used. */
function reportTwoAuthorities(value: unknown, path: Path, report: Report): void {
  const both = value as { certificateAuthority?: unknown; certificateAuthorityData?: unknown } | null;
  if (both?.certificateAuthority !== undefined && both.certificateAuthorityData !== undefined) {
    const text = 'there is certificateAuthority already; leave one of them out';
    report('error', [...path, 'certificateAuthorityData'], text);
  }
}

/** Checks one mapping. Unknown keys are reported with `severity` and dropped. */
function check(
  schema: z.ZodObject,
  kind: string,
  raw: unknown,
  path: Path,
  severity: Finding['severity'],
  report: Report,
): unknown {
  const known = Object.keys(schema.shape);
  if (isMapping(raw)) {
    for (const key of Object.keys(raw).filter((key) => !known.includes(key))) {
      reportUnknown(kind, key, known, path, severity, report, raw['account']);
    }
  }
  const kept = isMapping(raw)
    ? Object.fromEntries(Object.entries(raw).filter(([key]) => known.includes(key)))
    : raw;
  const result = schema.safeParse(kept);
  for (const issue of result.error?.issues ?? []) {
    const steps = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    report('error', [...path, ...steps], issueText(issue, valueAt(raw, steps)));
  }
  return result.success ? result.data : null;
}

function reportUnknown(
  kind: string,
  key: string,
  known: string[],
  path: Path,
  severity: Finding['severity'],
  report: Report,
  account: unknown,
): void {
  if (secretKeys[kind]?.includes(key)) {
    // An entry that uses an account has no secret: the account has, and knows which.
    const user = typeof account === 'string' ? stepText(account) : 'ACCOUNT';
    const where = path[0] === 'accounts' ? `${path[1]}/${key}` : user;
    const way = toldKinds[kind] ?? `use lanyard secret set ${where}`;
    const text = `config.yaml holds no secrets: ${way}`;
    report('error', [...path, key], text, 'key');
  } else {
    const ignored = severity === 'warning' ? 'unknown key is ignored' : 'unknown key';
    report(severity, [...path, key], `${ignored}${didYouMean(key, known)}`, 'key');
  }
}

/** The named entries under a top-level key; none where its value is empty. */
function entries(value: Raw, key: ConfigGroup, report: Report): [string, unknown][] {
  const group = value[key];
  if (group === undefined || group === null) {
    return [];
  }
  if (!isMapping(group)) {
    report('error', [key], 'expected a mapping of names');
    return [];
  }
  return Object.entries(group).filter(([name]) => {
    const fault = configName.safeParse(name).error?.issues[0];
    if (fault) {
      report('error', [key, name], `not a name; ${fault.message}`, 'key');
    }
    return !fault;
  });
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) => (at as Record<string | number, unknown> | undefined)?.[step],
    value,
  );
}
