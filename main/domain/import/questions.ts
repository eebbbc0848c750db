import { createHash } from 'node:crypto';
import type { AccountEntry, PlanQuestion } from '../import-plan.ts';
import type { LoadedConfig } from '../loaded-config.ts';
import { plainAddress } from '../new-cluster.ts';
import { normalizeServerUrl } from '../server-url.ts';
import { visibleText } from '../visible-text.ts';
import { authorityKey } from './authority-key.ts';
import type { MadeCluster } from './cluster-entry.ts';

/** A context that is imported, as far as questions go. */
export interface PlannedContext {
  context: string;
  made: Extract<MadeCluster, { ok: true }>;
  /** The cluster is in config.yaml already: nothing is asked about it again. */
  exists: boolean;
  account: string;
  value: AccountEntry;
}

/** What a person has to agree to: one question of a kind, but for shared audiences, which have one each. */
export function planQuestions(
  planned: readonly PlannedContext[],
  config: Pick<LoadedConfig, 'accounts' | 'clusters'>,
): PlanQuestion[] {
  const fresh = planned.filter(({ exists }) => !exists);
  return [unknownAuthority(fresh, config), insecure(fresh), ...sharedAudiences(planned, config)].filter(
    (question) => question !== null,
  );
}

function unknownAuthority(
  fresh: readonly PlannedContext[],
  config: Pick<LoadedConfig, 'clusters'>,
): PlanQuestion | null {
  const known = new Set<string>();
  for (const { config: entry, certificateAuthorityPem } of config.clusters.values()) {
    if (!isInsecure(entry)) {
      known.add(trust(normal(entry.server), authorityKey(certificateAuthorityPem)));
    }
  }
  const groups = new Map<string, PlannedContext[]>();
  for (const each of fresh) {
    const key = trust(each.made.server, each.made.authorityKey);
    if (!isInsecure(each.made.value) && !known.has(key)) {
      const group = groups.get(key);
      group ? group.push(each) : groups.set(key, [each]);
    }
  }
  const lines = [...groups.values()].map((group) => {
    const { made } = group[0] as PlannedContext;
    return `${namesOf(group)} at ${shown(made.value.server)}: ${fingerprints(made)}`;
  });
  return question('unknownAuthority', [...groups.values()].flat(), lines);
}

function insecure(fresh: readonly PlannedContext[]): PlanQuestion | null {
  const contexts = fresh.filter(({ made }) => isInsecure(made.value));
  const lines = contexts.map(({ context, made }) => {
    const why = made.value.insecureSkipTlsVerify
      ? 'its server’s certificate is not checked (insecure-skip-tls-verify): anyone on the way can read the credential'
      : 'no TLS';
    return `${visibleText(context, 200)} at ${shown(made.value.server)}: ${why}`;
  });
  return question('insecure', contexts, lines);
}

interface Audience {
  /** Whose token it is, for people. */
  words: string;
  /** Names of clusters by server. */
  servers: Map<string, string[]>;
  /** Those that are imported. */
  contexts: PlannedContext[];
}

/** An OpenID token is good wherever its client is taken; who runs one of the servers could use it at the others. */
function sharedAudiences(
  planned: readonly PlannedContext[],
  config: Pick<LoadedConfig, 'accounts' | 'clusters'>,
): PlanQuestion[] {
  const audiences = new Map<string, Audience>();
  const at = (oidc: object, server: string, name: string) => {
    const { issuer, clientId } = oidc as { issuer: string; clientId: string };
    const key = `${issuer}\n${clientId}`;
    const words = `the token of ${visibleText(clientId, 200)} at ${shown(issuer)}`;
    const audience: Audience = audiences.get(key) ?? { words, servers: new Map(), contexts: [] };
    audiences.set(key, audience);
    const names = audience.servers.get(server);
    names ? names.push(name) : audience.servers.set(server, [name]);
    return audience;
  };
  for (const each of planned) {
    if ('oidc' in each.value && !each.exists) {
      at(each.value.oidc, each.made.server, each.context).contexts.push(each);
    }
  }
  for (const { name, config: entry } of config.clusters.values()) {
    const account = config.accounts.get(entry.account)?.config;
    // Where an audience is said, the token is exchanged for one that is good there alone (RFC 8693).
    if (account && 'oidc' in account && entry.audience === undefined) {
      at(account.oidc, normal(entry.server), name);
    }
  }
  return [...audiences.values()].flatMap(({ words, servers, contexts }) => {
    if (servers.size < 2 || contexts.length === 0) {
      return [];
    }
    const lines = [
      `${words} is good at ${servers.size} servers: who runs one of them could use it at the others`,
      ...[...servers].map(
        ([server, names]) => `${names.map((name) => visibleText(name, 200)).join(', ')} at ${shown(server)}`,
      ),
    ];
    return question('sharedAudience', contexts, lines) ?? [];
  });
}

function question(
  kind: PlanQuestion['kind'],
  contexts: readonly PlannedContext[],
  lines: readonly string[],
): PlanQuestion | null {
  return contexts.length === 0 ? null : { kind, contexts: contexts.map(({ context }) => context), lines };
}

function isInsecure(entry: { server: string; insecureSkipTlsVerify?: boolean | undefined }): boolean {
  return entry.insecureSkipTlsVerify === true || /^http:/i.test(entry.server);
}

function trust(server: string, authority: string): string {
  return `${server}\n${authority}`;
}

/** More than these are shown by one over all. */
const fewCertificates = 4;

/** SHA-256 over each certificate's DER, as openssl shows it. */
function fingerprints({ authorityDigests: digests }: PlannedContext['made']): string {
  if (digests.length === 0) {
    return 'the system’s CAs';
  }
  if (digests.length > fewCertificates) {
    const all = createHash('sha256')
      .update([...new Set(digests)].sort().join('\n'))
      .digest('hex');
    return `${digests.length} CAs, all together ${withColons(all)}`;
  }
  return `CA with SHA-256 ${digests.map(withColons).join(' and ')}`;
}

function withColons(hex: string): string {
  return hex.toUpperCase().replace(/..(?!$)/g, '$&:');
}

function namesOf(group: readonly PlannedContext[]): string {
  return group.map(({ context }) => visibleText(context, 200)).join(', ');
}

function shown(address: string): string {
  return visibleText(plainAddress(address), 300);
}

function normal(server: string): string {
  const normalized = normalizeServerUrl(server);
  return normalized.ok ? normalized.url : server;
}
