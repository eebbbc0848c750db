import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { ClusterConfig } from '../../contract/config/cluster.ts';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import type { AccessProviderConfig, InventoryConfig } from '../../contract/config/inventory.ts';
import { type CertificateReader, parseCertificates } from '../credential/certificate-set.ts';
import { normalizeServerUrl } from '../server/server-url.ts';
import { withoutLogin } from '../text/plain-address.ts';
import { shownName } from '../text/shown-name.ts';
import { visibleText } from '../text/visible-text.ts';
import type { NamedInventory, Profile, ProfileProvider } from './profile.ts';
import { type Ignored, pluginParts } from './profile-variables.ts';
import { matchesServer, parseServerPattern, type ServerPattern } from './server-pattern.ts';
import { parseServerRewrites, rewrittenServer, type ServerRewrite } from './server-rewrite.ts';
import { fillTemplate } from './template.ts';

/** What a profile in use is, or why it can’t be used. */
export type Resolution = ({ ok: true } & ResolvedProfile) | ResolutionFault;

export interface ResolvedProfile {
  /** The provider by which the cluster is reached, and why it is this one: a sentence. */
  provider: string;
  why: string;
  /** The form of a cluster of config.yaml, without its name; its CA is `certificateAuthorityPem`. */
  config: ClusterConfig;
  /** Certificates only; null: the system’s CAs. */
  certificateAuthorityPem: string | null;
  /** Whether `servers` has its server. Another one is marked where the user approves it. */
  isExpectedServer: boolean;
  /** What the profile states where `serverRewrites` put another; null: the server is the profile’s. */
  rewrittenFrom: string | null;
  ignored: readonly Ignored[];
}

export interface ResolutionFault {
  ok: false;
  reason: FaultReason;
  /** In words that continue the profile’s name; text of the hub in it is safe for display. */
  message: string;
  /** The chosen provider; null: none was. */
  provider: string | null;
}

export type FaultReason =
  | 'noStatus'
  | 'noProviders'
  /** It lists none of the inventory’s. */
  | 'noProvider'
  /** The chosen one can’t be read. */
  | 'badProvider'
  | 'noAccount'
  | 'badServer'
  | 'badAuthority'
  | 'badProxy'
  | 'badArguments'
  | 'badVariables'
  /** All else that a cluster of config.yaml may not have. */
  | 'badCluster';

/** The variables of a provider’s `audience`: nothing that the hub chooses but names. */
export const audienceVariables = ['inventory', 'namespace', 'name'] as const;

type Accounts = ReadonlyMap<string, { config: AccountConfig }>;
export type ProfileResolver = (profile: Profile, accounts: Accounts) => Resolution;

/**
 * Resolves the profiles of one inventory (KEP-5339): the first provider in the inventory’s order that a profile lists,
 * also where that one has a fault (rule: remote-inventory). Each result is its own copy: nothing of it is shared with the profile, the account or
 * another result. Patterns and rewrites that can’t be parsed match nothing.
 */
export function profileResolver(
  { name, config }: NamedInventory,
  readCertificates: CertificateReader = parseCertificates,
): ProfileResolver {
  const rules = readRules(config);
  return (profile, accounts) => {
    const chosen = choose(profile, name, config);
    if (!chosen.ok) {
      return chosen;
    }
    const { provider, stated } = chosen;
    const wrong = (reason: FaultReason, message: string): ResolutionFault => ({
      ok: false,
      reason,
      message,
      provider: provider.name,
    });
    const account = accounts.get(provider.account)?.config;
    if (account === undefined) {
      return wrong('noAccount', `needs the account ${shownName(provider.account)}, which is not configured`);
    }
    const server = readServer(stated.server, rules.rewrites);
    if (!server.ok) {
      return wrong('badServer', server.fault);
    }
    const authority = readAuthority(stated, readCertificates);
    if (!authority.ok) {
      return wrong('badAuthority', authority.fault);
    }
    const proxy = stated.proxyUrl === null ? null : normalizeServerUrl(stated.proxyUrl);
    if (proxy?.ok === false) {
      return wrong('badProxy', `its proxy-url ${shownAddress(stated.proxyUrl ?? '')}: ${proxy.fault}`);
    }
    if (stated.tlsServerName !== null && !/^[A-Za-z0-9._:-]+$/.test(stated.tlsServerName)) {
      return wrong('badCluster', 'its tls-server-name is not a host’s name');
    }
    const parts = pluginParts(stated, provider, account);
    if (!parts.ok) {
      return wrong(parts.reason, parts.fault);
    }
    const audience =
      provider.audience === undefined
        ? undefined
        : fillTemplate(provider.audience, {
            inventory: name,
            namespace: profile.namespace,
            name: profile.name,
          });
    const checked = clusterSchema.safeParse({
      server: server.url,
      ...(stated.tlsServerName !== null && { tlsServerName: stated.tlsServerName }),
      ...(stated.insecureSkipTlsVerify && { insecureSkipTlsVerify: true }),
      ...(stated.proxyUrl !== null && { proxyUrl: stated.proxyUrl }),
      ...(stated.disableCompression && { disableCompression: true }),
      ...(stated.execConfig !== undefined && { execConfig: structuredClone(stated.execConfig) }),
      account: provider.account,
      ...(audience !== undefined && { audience }),
      ...(parts.args.length > 0 && { additionalArgs: parts.args }),
      ...(parts.env.length > 0 && { additionalEnv: parts.env }),
    });
    if (!checked.success) {
      const [issue] = checked.error.issues;
      const key = String(issue?.path[0] ?? 'cluster');
      const reason = key === 'server' ? 'badServer' : key === 'proxyUrl' ? 'badProxy' : 'badCluster';
      return wrong(reason, `its ${key}: ${visibleText(issue?.message ?? 'is not valid', 200)}`);
    }
    return {
      ok: true,
      provider: provider.name,
      why: chosen.why,
      config: checked.data,
      certificateAuthorityPem: authority.pem,
      isExpectedServer: rules.expectedOf(provider).some((pattern) => matchesServer(pattern, server.url)),
      rewrittenFrom: server.rewrittenFrom,
      ignored: parts.ignored,
    };
  };
}

interface Rules {
  rewrites: readonly ServerRewrite[];
  expectedOf: (provider: AccessProviderConfig) => readonly ServerPattern[];
}

function readRules(config: InventoryConfig): Rules {
  const patterns = (texts: readonly string[]) =>
    texts.map(parseServerPattern).flatMap((parsed) => (parsed.ok ? [parsed.pattern] : []));
  const common = patterns(config.servers);
  const own = new Map(config.providers.map((each) => [each, each.servers ? patterns(each.servers) : common]));
  return {
    rewrites: parseServerRewrites(config.serverRewrites),
    expectedOf: (provider) => own.get(provider) ?? common,
  };
}

type Choice = { ok: true; provider: AccessProviderConfig; stated: ProfileProvider; why: string };

/** By name alone: a provider’s fault doesn’t pass the choice on to the next, who may be another identity. */
function choose(profile: Profile, inventory: string, config: InventoryConfig): Choice | ResolutionFault {
  const wrong = (reason: FaultReason, message: string, provider: string | null = null): ResolutionFault => ({
    ok: false,
    reason,
    message,
    provider,
  });
  if (!profile.hasStatus) {
    return wrong('noStatus', 'has no status: its cluster manager has not written one yet');
  }
  const listed = new Map(profile.providers.map((each) => [each.name, each]));
  if (listed.size === 0) {
    return wrong('noProviders', 'lists no access providers');
  }
  const provider = config.providers.find(({ name }) => listed.has(name));
  const stated = provider && listed.get(provider.name);
  if (!provider || !stated) {
    return wrong(
      'noProvider',
      `lists only access providers that ${shownName(inventory)} doesn’t have: ${listedText(listed)}`,
    );
  }
  if (stated.fault !== null) {
    return wrong(
      'badProvider',
      `its provider ${shownName(provider.name)} can’t be used: ${stated.fault}`,
      provider.name,
    );
  }
  const place = config.providers.indexOf(provider);
  const why =
    listed.size === 1
      ? `${shownName(provider.name)} is the only provider that the profile lists`
      : place === 0
        ? `${shownName(provider.name)} is the first provider of ${shownName(inventory)}`
        : `${shownName(provider.name)} is the first provider of ${shownName(inventory)} that the profile lists`;
  return { ok: true, provider, stated, why };
}

/** More than a few would fill the sentence. */
const mostListed = 8;

function listedText(listed: ReadonlyMap<string, unknown>): string {
  const names = [...listed.keys()].slice(0, mostListed).map((name) => shownName(name));
  const more = listed.size - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

type Server = { ok: true; url: string; rewrittenFrom: string | null } | { ok: false; fault: string };

function readServer(stated: string | null, rewrites: readonly ServerRewrite[]): Server {
  if (stated === null) {
    return { ok: false, fault: 'states no server' };
  }
  const normalized = normalizeServerUrl(stated);
  if (!normalized.ok) {
    return { ok: false, fault: `its server ${shownAddress(stated)}: ${normalized.fault}` };
  }
  if (!normalized.url.startsWith('https://')) {
    return { ok: false, fault: `its server ${shownAddress(stated)}: no https:// URL` };
  }
  const url = rewrittenServer(normalized.url, rewrites);
  if (url === null) {
    return { ok: true, url: normalized.url, rewrittenFrom: null };
  }
  const again = normalizeServerUrl(url);
  return again.ok
    ? { ok: true, url: again.url, rewrittenFrom: normalized.url }
    : { ok: false, fault: `its server, rewritten to ${shownAddress(url)}: ${again.fault}` };
}

function shownAddress(address: string): string {
  return shownName(withoutLogin(address), 300);
}

const mostCertificates = 8;

function readAuthority(
  { certificateAuthorityPem: stated, insecureSkipTlsVerify }: ProfileProvider,
  readCertificates: CertificateReader,
): { ok: true; pem: string | null } | { ok: false; fault: string } {
  if (stated === null) {
    return { ok: true, pem: null };
  }
  if (insecureSkipTlsVerify) {
    // client-go refuses the two together.
    return { ok: false, fault: 'has a CA beside insecure-skip-tls-verify' };
  }
  const found = readCertificates(stated);
  if (!found.ok) {
    return { ok: false, fault: `its CA can’t be read: ${found.fault}` };
  }
  return found.count > mostCertificates
    ? { ok: false, fault: `its CA has more than ${mostCertificates} certificates` }
    : { ok: true, pem: found.pem };
}
