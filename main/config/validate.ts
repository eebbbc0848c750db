import type { z } from 'zod';
import { type AccountConfig, type AccountKind, accountKinds } from '../contract/config/accounts/account.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import {
  byGroup,
  type Config,
  type ConfigGroup,
  type ConfigOf,
  type ConfiguredKind,
  config as configSchema,
  groupOf,
  kindNames,
} from '../contract/config/config.ts';
import { inventory as inventorySchema } from '../contract/config/inventory.ts';
import { configName } from '../contract/config/names.ts';
import { registry as registrySchema } from '../contract/config/registry.ts';
import { defaultSettings, settingSchemas } from '../contract/config/settings.ts';
import { runsProgram } from '../contract/program-names.ts';
import { patternFault, samePatterns } from '../domain/image/pattern-fault.ts';
import { sharedRedirects } from '../domain/login/login-rules.ts';
import { didYouMean } from '../domain/text/nearest-name.ts';
import {
  reportClientIdToken,
  reportPluginRules,
  reportRefusedVariables,
  reportReservedParams,
  reportTokenAttributes,
  reportTwoAuthorities,
} from './entry-rules.ts';
import { type Finding, type Looking, list, type Raw, type Report } from './finding.ts';
import { inventoryFaults } from './inventory-faults.ts';
import { isMapping } from './is-mapping.ts';
import { issueText } from './issue-text.ts';
import {
  reportItsAccount,
  reportItsHub,
  reportItsKeys,
  reportItsProxy,
  reportItsSecret,
  reportItsTokens,
} from './linked-accounts.ts';
import { secretKeys, toldKinds } from './refused-keys.ts';
import { stepText } from './step-text.ts';
import type { Path } from './yaml-text.ts';

export interface Validated {
  /** The config without its faulty parts. Use it only where no finding is an error. */
  config: Config;
  findings: Finding[];
}

/** Comparing a name with all others takes time, and more suggestions are not read. */
const suggestionLimit = 100;

/** Checks the plain value of config.yaml. Unknown keys of a cluster are errors (they are policy), others warnings. */
export function validateConfig(value: unknown): Validated {
  const findings: Finding[] = [];
  const find = (found: Omit<Finding, 'message'>) => {
    const { path, text } = found;
    const where = path.length === 0 ? '' : `${path.map(stepText).join('.')}: `;
    findings.push({ ...found, message: `${where}${text}` });
  };
  const report: Report = (severity, path, text, at = 'value') =>
    find({ severity, path, at, text, isMissing: false });
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
    reportMissing: (what, name, path) => {
      const others = Object.keys(what === 'account' ? looking.accounts : looking.clusters);
      const near = findings.length < suggestionLimit ? didYouMean(name, others) : '';
      const where = what === 'cluster' ? ' in config.yaml' : '';
      const text = `there is no ${what} ${stepText(name)}${where}${near}`;
      find({ severity: 'error', path, at: 'value', text, isMissing: true });
    },
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
  const { accounts, clusters, report, reportMissing } = looking;
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
    reportMissing('cluster', hub, [...path, 'cluster']);
  }
  for (const [index, provider] of list(providers).entries()) {
    reportItsAccount('provider', provider, [...path, 'providers', index], looking);
  }
  for (const { severity, path: below, text } of inventoryFaults(raw, accounts)) {
    report(severity, [...path, ...below], text);
  }
  return parsed;
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
