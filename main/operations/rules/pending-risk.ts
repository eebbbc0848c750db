import { runsProgram } from '../../contract/program-names.ts';
import { readsSecrets } from '../../contract/secret-readers.ts';
import { approvalPolicy } from '../../domain/approval/approval.ts';
import type { PendingChange } from '../../domain/approval/binding.ts';
import { coversStrangers } from '../../domain/image/shared-domains.ts';
import { askedScopes } from '../../domain/login/asked-scopes.ts';

/** That a cluster which was approved is elsewhere now. */
export const movesCluster = 'Sends credentials to another server';

type Shape = Readonly<Record<string, unknown>>;

/** Why an approval of this deserves a second look, a few words each; none: nothing of it does. */
export function risksOf({ what, before, after }: Pick<PendingChange, 'what' | 'before' | 'after'>): string[] {
  const [was, now] = [before === null ? null : shapeOf(before), shapeOf(after)];
  switch (what) {
    case 'account':
      return accountRisks(was, now);
    case 'cluster':
      return clusterRisks(was, now);
    case 'registry':
      return registryRisks(was, now);
    case 'inventory':
      return inventoryRisks(was, now);
    case 'setting':
      return settingRisks(was ?? {}, now);
  }
}

function clusterRisks(was: Shape | null, now: Shape): string[] {
  const place = ['server', 'certificateAuthority', 'tlsServerName', 'proxyUrl', 'insecureSkipTlsVerify'];
  return [
    ...(set(was, now, 'insecureSkipTlsVerify') || /^http:/i.test(String(now['server']))
      ? ['TLS verification is off']
      : []),
    ...(now['profile'] !== undefined && adds(was, now, 'proxyUrl') ? ['Goes through a proxy'] : []),
    ...(was !== null && differs(was, now, ['profile']) ? ['Is another profile, or of another provider'] : []),
    ...(set(was, now, 'withoutInfo') ? ['Issues credentials without checking the server'] : []),
    ...(now['execCredential'] === 'allow' && was?.['execCredential'] !== 'allow'
      ? ['Prints credentials without asking']
      : []),
    ...(was !== null && asksLess(was['approval'], now['approval']) ? ['Asks for approval less often'] : []),
    ...(was !== null && differs(was, now, place) ? [movesCluster] : []),
    ...(was !== null && differs(was, now, ['proxy']) ? ['Sends requests another way'] : []),
    ...(was !== null && differs(was, now, ['proxyConfig']) ? ['Lets clients in another way'] : []),
    ...(set(was, now, 'cookies') ? ['Passes cookies between client and server'] : []),
    ...(adds(was, now, 'chain') ? ['Changes what is sent with each request'] : []),
    ...chainRisks(addedTo(was, now, 'chain')),
    ...(adds(was, now, 'additionalArgs') ? ['Adds arguments to the plugin'] : []),
    ...(adds(was, now, 'additionalEnv') ? ['Sets variables of the plugin'] : []),
    ...(was !== null && differs(was, now, ['account', 'audience', 'execConfig', ...forItsPlugin])
      ? ['Sends another credential']
      : []),
  ];
}

/** `steps`: each as domain/proxy/chain.ts writes it. */
function chainRisks(steps: readonly string[]): string[] {
  return [
    ...(steps.some((step) => /^(set|add) [^\s:]+ from /.test(step)) ? ['Sends further credentials'] : []),
    ...(steps.some((step) => step.startsWith('impersonate ')) ? ['Impersonates another user'] : []),
    ...signers(steps).map(({ account }) => `Signs requests with ${account}`),
    ...(signers(steps).some(({ seesCredentials }) => seesCredentials)
      ? ['Lets a program see the credentials of requests']
      : []),
  ];
}

/** The steps that sign, each account once. */
function signers(steps: readonly string[]): { account: string; seesCredentials: boolean }[] {
  const found = new Map<string, boolean>();
  for (const step of steps) {
    const [, account, more] =
      /^sign from (\S+)(?: as \S+ in \S+)?, body \w+(, with credentials)?$/.exec(step) ?? [];
    if (account !== undefined) {
      found.set(account, found.get(account) === true || more !== undefined);
    }
  }
  return [...found].map(([account, seesCredentials]) => ({ account, seesCredentials }));
}

const forItsPlugin = ['additionalArgs', 'additionalEnv'];

/** It is there, and isn’t what it was. */
function adds(was: Shape | null, now: Shape, key: string): boolean {
  return now[key] !== undefined && text(was?.[key]) !== text(now[key]);
}

function registryRisks(was: Shape | null, now: Shape): string[] {
  const added = addedTo(was, now, 'matchImages');
  return [
    ...(added.some(coversStrangers)
      ? ['Covers registries that anyone can register']
      : added.some((pattern) => pattern.includes('*'))
        ? ['Covers every registry of a domain']
        : []),
    ...(was !== null && added.length > 0 ? ['Sends credentials to other registries'] : []),
    ...(addedTo(was, now, 'tokenServers').length > 0
      ? ['Sends credentials to a token server at another host']
      : []),
    ...(was !== null && differs(was, now, ['account', 'audience', 'userName'])
      ? ['Sends another credential']
      : []),
    ...(was !== null && asksLess(was['approval'], now['approval']) ? ['Asks for approval less often'] : []),
    ...(now['cacheDuration'] !== undefined && text(was?.['cacheDuration']) !== text(now['cacheDuration'])
      ? ['Lets a kubelet keep the credential']
      : []),
  ];
}

/** The settings of an inventory’s providers that have this name. */
function providerKeys(shapes: readonly (Shape | null)[], setting: string): string[] {
  return shapes.flatMap((shape) =>
    Object.keys(shape ?? {}).filter((key) => key.startsWith('providers.') && key.endsWith(`.${setting}`)),
  );
}

function inventoryRisks(was: Shape | null, now: Shape): string[] {
  const keysOf = (setting: string) => providerKeys([was, now], setting);
  const isMore = (setting: string) => keysOf(setting).some((key) => adds(was, now, key));
  return [
    ...(isMore('profileSourcedCLIArgsPolicy') ? ['Lets profiles add arguments to the plugin'] : []),
    ...(isMore('profileSourcedEnvVarsPolicy') ||
    keysOf('allowedEnvVars').some((key) => addedTo(was, now, key).length > 0)
      ? ['Lets profiles set variables of the plugin']
      : []),
    ...(adds(was, now, 'trusted') ? ['Approves changed servers without asking'] : []),
    ...(was !== null && differs(was, now, ['cluster', 'files', 'namespaces', 'labelSelector'])
      ? ['Takes clusters from elsewhere']
      : []),
    ...(was !== null &&
    [...addedTo(was, now, 'servers'), ...keysOf('servers').filter((key) => differs(was, now, [key]))].length >
      0
      ? ['Expects other servers']
      : []),
    ...(adds(was, now, 'serverRewrites') ? ['Sends credentials to another server'] : []),
    ...(was !== null && differs(was, now, ['providers', ...keysOf('account'), ...keysOf('audience')])
      ? ['Sends another credential']
      : []),
  ];
}

function accountRisks(was: Shape | null, now: Shape): string[] {
  if (runsProgram(now['kind'])) {
    if (was === null || was['kind'] !== now['kind']) {
      return ['Runs a program'];
    }
    return differs(was, now, [...Object.keys(was), ...Object.keys(now)])
      ? ['Runs a program in another way']
      : [];
  }
  if (now['kind'] === 'pkcs11') {
    return was?.['kind'] !== 'pkcs11' || differs(was, now, ['module', 'env'])
      ? ['Loads a library that sees your PIN']
      : differs(was, now, [...Object.keys(was), ...Object.keys(now)])
        ? ['Uses another key']
        : [];
  }
  if (readsSecrets(now['kind'])) {
    const place = ['kind', 'cluster', 'namespace', 'key'];
    return was === null || !readsSecrets(was['kind'])
      ? ['Reads Secrets of a cluster']
      : differs(was, now, place)
        ? ['Reads other Secrets']
        : [];
  }
  const ofAws = awsRisks(was, now);
  if (ofAws !== null) {
    return ofAws;
  }
  const login = [
    'kind',
    'issuer',
    'clientId',
    'certificateAuthority',
    'proxyUrl',
    'extraParams',
    'extraHeaders',
    'flow',
    'token',
  ];
  const files = ['file', 'certificateFile', 'keyFile', 'clientAssertionFile'];
  return [
    ...(set(was, now, 'browser')
      ? ['Runs a program']
      : now['browser'] !== undefined && was !== null && differs(was, now, ['browser'])
        ? ['Runs a program in another way']
        : []),
    ...(set(was, now, 'loginWithoutTerminal') ? ['Opens login pages for programs without a terminal'] : []),
    ...(was !== null && differs(was, now, login) ? [elsewhere] : []),
    ...(was !== null && differs(was, now, files) ? ['Reads another file'] : []),
    ...(was !== null && differs(was, now, ['clientKeyAccount', 'clientKeyId', 'clientCertificateAccount'])
      ? ['Uses another key']
      : []),
    ...(was !== null && moreScopes(was, now) ? ['Requests more scopes'] : []),
  ];
}

const elsewhere = 'Logs in at another place or in another way';

/** Null: it has no AWS keys, and makes nothing of them. */
function awsRisks(was: Shape | null, now: Shape): string[] | null {
  if (now['kind'] !== 'aws' && now['kind'] !== 'awsEks') {
    return null;
  }
  const [before, after] = [was, now].map((shape) => ({ ...shape, ...nested(shape, 'webIdentity') }) as Shape);
  const isNew = was === null || was['kind'] !== now['kind'];
  const changed = (keys: readonly string[]) => !isNew && differs(before ?? {}, after ?? {}, keys);
  const source = ['account', 'accessKeyId', 'profile', 'credentialsFile', 'tokenFile'];
  return [
    ...(was !== null && isNew ? [elsewhere] : []),
    ...(after?.['role'] !== undefined && (isNew || changed(['role'])) ? ['Assumes a role'] : []),
    ...(changed(source) ? ['Uses other AWS keys'] : []),
    ...((after?.['stsEndpoint'] !== undefined && (isNew || changed(['stsEndpoint']))) ||
    (now['kind'] === 'aws' && changed(['region']))
      ? ['Asks STS at another address']
      : []),
    ...(now['kind'] === 'awsEks' && changed(['cluster', 'region'])
      ? ['Makes tokens for another cluster']
      : []),
  ];
}

/** What a shape has as JSON within. */
function nested(shape: Shape | null, key: string): Shape {
  const text = shape?.[key];
  return typeof text === 'string' ? shapeOf(text) : {};
}

/**
 * Settings that were removed or changed, whether less strict or not, which can’t be told of all; and new ones that are
 * less strict than the default.
 */
function settingRisks(was: Shape, now: Shape): string[] {
  const changed = Object.keys(was).some((key) => text(was[key]) !== text(now[key]));
  const isLess = set(was, now, 'listen') || set(was, now, 'keep') || now['biometrics'] === 'never';
  return changed || isLess ? ['Changes a security setting'] : [];
}

/** What a list has now that it didn’t have. */
function addedTo(was: Shape | null, now: Shape, key: string): string[] {
  const listOf = (shape: Shape | null) => (Array.isArray(shape?.[key]) ? shape[key].map(String) : []);
  const before = listOf(was);
  return listOf(now).filter((each) => !before.includes(each));
}

/** It is new. */
function set(was: Shape | null, now: Shape, key: string): boolean {
  return now[key] !== undefined && was?.[key] === undefined;
}

function differs(was: Shape, now: Shape, keys: readonly string[]): boolean {
  return keys.some((key) => text(was[key]) !== text(now[key]));
}

function asksLess(was: unknown, now: unknown): boolean {
  if (text(was) === text(now) || was === undefined) {
    return false;
  }
  const [before, after] = [approvalPolicy(String(was)), approvalPolicy(String(now ?? 'never'))];
  const isShorter =
    before.kind === 'duration' && after.kind === 'duration' && after.milliseconds < before.milliseconds;
  return after.kind !== 'always' && !isShorter;
}

/** None at all are more: the provider then gives its own. */
function moreScopes(was: Shape, now: Shape): boolean {
  const scopesOf = ({ flow, scopes }: Shape) =>
    askedScopes(typeof flow === 'string' ? flow : undefined, Array.isArray(scopes) ? scopes : []);
  const [before, after] = [scopesOf(was), scopesOf(now)];
  const all = Array.isArray(was['scopes']) ? was['scopes'] : [];
  return (
    after.some((scope) => !all.includes(scope)) ||
    (Array.isArray(now['scopes']) && after.length === 0 && before.length > 0)
  );
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function shapeOf(text: string): Shape {
  try {
    return JSON.parse(text) as Shape;
  } catch {
    return {}; // not of this program's making
  }
}
