import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import type { ProxyConfig } from '../../contract/config/proxy.ts';
import { type BoundSettings, defaultSettings } from '../../contract/config/settings.ts';
import { fingerprintOfPem } from '../credential/certificate-set.ts';
import { secretReaderOf } from '../inventory/secret-reader.ts';
import type { LoadedAccount, LoadedCluster } from '../loaded-config.ts';
import { chainSteps, stepText } from '../proxy/chain.ts';
import { listenerConfigOf } from '../proxy/own-form.ts';
import { comparedUrl } from '../server/server-url.ts';
import { sortedJson } from '../text/sorted-json.ts';

/** The values of a shape per key; keys with their default are left out, so that new keys can be added. */
export type ShapeValue = string | boolean | readonly string[];

/**
 * All of an account that decides where its secrets may go and as whom, as JSON with sorted keys
 * (rule: confirmed-binding).
 *
 * Not `loginHint`: it fills in a name on the provider's page, and a session stays who it is (rule: same-identity). Not
 * `redirectPorts`: each is on this machine's loopback, where PKCE and state guard the answer. Not a plugin's `timeoutSeconds`, `cacheSeconds`, `defaultCacheDuration` and `installHint`: they
 * choose nothing that runs. Not a secret reader’s `cacheSeconds`: it chooses nothing that is read.
 */
export function accountShape({ config, certificateAuthorityPem }: LoadedAccount): string {
  if ('oidc' in config) {
    const {
      issuer,
      clientId,
      scopes,
      token,
      flow,
      extraParams,
      extraHeaders,
      proxyUrl,
      loginWithoutTerminal,
      clientAssertionFile,
      clientKeyAccount,
      clientKeyId,
      clientCertificateAccount,
      browser,
      serviceAccountTokenAudience,
    } = config.oidc;
    return canonical({
      kind: 'oidc',
      // Unchanged: an issuer is compared letter by letter (OpenID Connect Discovery, section 4.3).
      issuer,
      clientId,
      scopes: [...new Set(scopes)].sort(),
      token,
      certificateAuthority: authority(certificateAuthorityPem),
      flow: flow === 'clientCredentials' || flow === 'serviceAccountToken' ? flow : undefined,
      serviceAccountTokenAudience,
      extraParams: pairs(extraParams),
      extraHeaders: pairs(extraHeaders),
      proxyUrl: proxyUrl === undefined ? undefined : comparedUrl(proxyUrl),
      loginWithoutTerminal: loginWithoutTerminal || undefined,
      clientAssertionFile,
      clientKeyAccount,
      clientKeyId,
      clientCertificateAccount,
      browser,
    });
  }
  if ('staticToken' in config) {
    return canonical({ kind: 'staticToken', file: config.staticToken.file });
  }
  if ('execPlugin' in config) {
    const plugin = config.execPlugin;
    return canonical({
      kind: 'execPlugin',
      apiVersion: plugin.apiVersion,
      command: plugin.command,
      args: plugin.args.length === 0 ? undefined : plugin.args,
      env: variables(plugin.env),
      provideClusterInfo: plugin.provideClusterInfo || undefined,
      interactiveMode: plugin.interactiveMode,
      searchPath: plugin.searchPath,
      environment: plugin.environment && [...new Set(plugin.environment)].sort(),
      share: plugin.share ? undefined : false,
      passProxyConfig: plugin.passProxyConfig || undefined,
      pin: plugin.pin || undefined,
    });
  }
  if ('credentialProvider' in config) {
    const plugin = config.credentialProvider;
    return canonical({
      kind: 'credentialProvider',
      apiVersion: plugin.apiVersion,
      command: plugin.command,
      args: plugin.args.length === 0 ? undefined : plugin.args,
      env: variables(plugin.env),
      searchPath: plugin.searchPath,
      // It says what of a request the plugin gets.
      tokenAttributes: plugin.tokenAttributes && sortedJson(plugin.tokenAttributes),
      pin: plugin.pin || undefined,
    });
  }
  if ('credentialHelper' in config) {
    const { helper, env, searchPath, pin, fallback } = config.credentialHelper;
    return canonical({
      kind: 'credentialHelper',
      helper,
      env: variables(env),
      searchPath,
      pin: pin || undefined,
      fallback: fallback || undefined,
    });
  }
  if ('secretReader' in config || 'kubeconfigSecretReader' in config) {
    const { kind, cluster, namespace, key } = secretReaderOf(config);
    return canonical({ kind, cluster, namespace, key: key === 'token' ? undefined : (key ?? undefined) });
  }
  if ('registry' in config) {
    return canonical({ kind: 'registry', userName: config.registry.userName });
  }
  if ('aws' in config) {
    const { accessKeyId, profile, credentialsFile, webIdentity } = config.aws;
    return canonical({
      kind: 'aws',
      accessKeyId,
      profile,
      credentialsFile,
      webIdentity: webIdentity && sortedJson(webIdentity),
    });
  }
  if ('awsEks' in config) {
    return canonical({ kind: 'awsEks', ...config.awsEks });
  }
  if ('awsProcess' in config || 'requestSigner' in config) {
    const [kind, program] =
      'awsProcess' in config
        ? (['awsProcess', config.awsProcess] as const)
        : (['requestSigner', config.requestSigner] as const);
    const { command, args, env, searchPath, pin } = program;
    return canonical({
      kind,
      command,
      args: args.length === 0 ? undefined : args,
      env: variables(env),
      searchPath,
      pin: pin || undefined,
    });
  }
  if ('pkcs11' in config) {
    const { slot, id, env, ...others } = config.pkcs11;
    return canonical({
      kind: 'pkcs11',
      ...others,
      slot: slot === undefined ? undefined : String(slot),
      id: id?.toLowerCase(),
      env: variables(env),
    });
  }
  const { certificateFile, keyFile } = config.clientCertificate;
  return canonical({ kind: 'clientCertificate', certificateFile, keyFile });
}

/**
 * All of a cluster that decides where a credential may go and whose, as JSON with sorted keys
 * (rule: confirmed-binding).
 *
 * Not `displayName`, `aliases` and `labels`: they are what it is called. Where the user decides, its name is shown too.
 */
export function clusterShape({ config, certificateAuthorityPem, origin }: LoadedCluster): string {
  return canonical({
    account: config.account,
    server: comparedUrl(config.server),
    certificateAuthority: authority(certificateAuthorityPem),
    tlsServerName: config.tlsServerName?.toLowerCase(),
    insecureSkipTlsVerify: config.insecureSkipTlsVerify || undefined,
    proxyUrl: config.proxyUrl === undefined ? undefined : comparedUrl(config.proxyUrl),
    // It may say what the plugin requests a credential for, and from whom.
    execConfig: config.execConfig === undefined ? undefined : sortedJson(config.execConfig),
    additionalArgs: config.additionalArgs?.length ? config.additionalArgs : undefined,
    additionalEnv: variables(config.additionalEnv ?? []),
    disableCompression: config.disableCompression || undefined,
    proxy: config.proxy === undefined ? undefined : true,
    chain: config.proxy?.chain.length ? chainSteps(config.proxy).map(stepText) : undefined,
    cookies: config.proxy?.cookies === 'pass' ? 'pass' : undefined,
    proxyConfig: listenerShape(config.proxy),
    withoutInfo: config.withoutInfo === 'allow' ? 'allow' : undefined,
    audience: config.audience,
    approval: config.approval === 'never' ? undefined : config.approval,
    execCredential: config.execCredential === 'ask' ? undefined : config.execCredential,
    // Another profile under the same name is another cluster, and so is one that was made again.
    profile: origin && [
      origin.inventory,
      `${origin.namespace}/${origin.name}`,
      origin.provider,
      ...(origin.uid === null ? [] : [origin.uid]),
    ],
  });
}

/** How clients come in. Not when an idle listener ends: a client opens another. */
function listenerShape(proxy: ProxyConfig | undefined): string | undefined {
  const { answer, listen, clientCertificate } = listenerConfigOf(proxy ?? { chain: [] });
  const stated = {
    ...(answer !== 'lockFile' && { answer }),
    ...(listen !== 'unix' && { listen }),
    ...(clientCertificate && { clientCertificate }),
  };
  return Object.keys(stated).length === 0 ? undefined : sortedJson(stated);
}

/** The settings that need approval, by name; `{}` where nothing is set (rule: confirmed-binding). */
export function settingShapes({ lock, history, metrics }: BoundSettings): Record<string, string> {
  return {
    lock: canonical({
      afterIdle: lock.afterIdle,
      withScreen: lock.withScreen || undefined,
      biometrics: lock.biometrics === 'unlock' ? undefined : lock.biometrics,
    }),
    history: canonical({ keep: history.keep === defaultSettings.history.keep ? undefined : history.keep }),
    metrics: canonical({ listen: metrics.listen }),
  };
}

/** JSON with sorted keys, without what is undefined. */
export function canonical(shape: Record<string, ShapeValue | undefined>): string {
  const entries = Object.entries(shape).filter(([, value]) => value !== undefined);
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** In their order: of a repeated name the last value applies. */
function variables(env: ExecPluginConfig['env']): string[] | undefined {
  return env.length === 0
    ? undefined
    : env.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`));
}

/** The first `=` ends the name: one within the name is escaped. */
function pairs(record: Readonly<Record<string, string>>): string[] | undefined {
  const escaped = (name: string) => name.replace(/[%=]/g, encodeURIComponent);
  const lines = Object.entries(record).map(([name, value]) => `${escaped(name)}=${value}`);
  return lines.length === 0 ? undefined : lines.sort();
}

function authority(pem: string | null): string | undefined {
  if (pem === null) {
    return undefined;
  }
  return fingerprintOfPem(pem) ?? 'unreadable';
}
