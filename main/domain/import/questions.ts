import type { LoadedConfig, LoadedEntries } from '../loaded-config.ts';
import { hostAndPort } from '../server/destination.ts';
import { comparedUrl } from '../server/server-url.ts';
import { shownName } from '../text/shown-name.ts';
import { visibleText } from '../text/visible-text.ts';
import { authorityKey } from './authority-key.ts';
import type { PlanQuestion } from './import-plan.ts';
import type { PlannedContext } from './planned-context.ts';
import { tellsPlugin } from './planned-program.ts';
import { listed, placeLines, placeOf, shown, sourceOf, tokenFileOf } from './question-words.ts';
import { replacements } from './replacements.ts';

/** What the user has to agree to: one question of each kind, except one for each shared audience. */
export function planQuestions(planned: readonly PlannedContext[], config: LoadedEntries): PlanQuestion[] {
  const fresh = planned.filter(({ exists }) => !exists);
  const replaced = planned.filter(({ replaces, accountReplaced }) => replaces !== null || accountReplaced);
  return [
    question('replaces', replaced, replacements(replaced, config)),
    mixedFiles(fresh),
    ...newAuthorities(fresh, config),
    insecure(fresh),
    ...sharedAudiences(planned, config),
  ].filter((question) => question !== null);
}

/** kubectl does the same, but nobody who calls two clusters by one name wants it. */
function mixedFiles(fresh: readonly PlannedContext[]): PlanQuestion | null {
  const mixed = fresh.filter((each) => each.mixed.length > 0);
  return question(
    'mixedFiles',
    mixed,
    mixed.flatMap((each) => each.mixed),
  );
}

/** Servers that are new, and known ones that would be trusted by another CA, under another name or by another proxy. */
function newAuthorities(
  fresh: readonly PlannedContext[],
  config: Pick<LoadedConfig, 'clusters'>,
): (PlanQuestion | null)[] {
  const [servers, known] = [new Set<string | null>(), new Set<string>()];
  for (const { config: entry, certificateAuthorityPem } of config.clusters.values()) {
    if (!isInsecure(entry)) {
      servers.add(hostAndPort(entry.server));
      known.add(trust(comparedUrl(entry.server), authorityKey(certificateAuthorityPem), entry));
    }
  }
  const trusted = fresh.filter(({ made }) => !isInsecure(made.value));
  const isKnown = (each: PlannedContext) => known.has(trustOf(each));
  const isOther = (each: PlannedContext) => servers.has(hostAndPort(each.made.server)) && !isKnown(each);
  // What isn't in the kubeconfig (a file's token, a plugin's) needs a question wherever it would go.
  const isNews = (each: PlannedContext) =>
    !isKnown(each) || (sourceOf(each.value) !== null && !each.accountExists);
  const unknown = trusted.filter((each) => !isOther(each) && isNews(each));
  return [
    authorities('otherAuthority', trusted.filter(isOther)),
    // A credential that Lanyard has already is asked about apart: a yes to many others says nothing of it.
    authorities(
      'unknownAuthority',
      unknown.filter(({ accountExists }) => accountExists),
    ),
    authorities(
      'unknownAuthority',
      unknown.filter(({ accountExists }) => !accountExists),
    ),
  ];
}

function authorities(
  kind: 'unknownAuthority' | 'otherAuthority',
  contexts: readonly PlannedContext[],
): PlanQuestion | null {
  const groups = [...Map.groupBy(contexts, (each) => `${trustOf(each)}\n${whose(each)}`).values()];
  const ordered = givenFirst(groups, ([first]) => (first ? whose(first) : ''));
  // Servers of one CA stand together, and it is said once: what has to be compared is compared once.
  const byAuthority = Map.groupBy(ordered, ([first]) =>
    [first?.made.authorityKey, first && whose(first)].join('\n'),
  );
  const lines = [...byAuthority.values()].flatMap((groups) =>
    groups.flatMap((group, index) => {
      const first = group[0] as PlannedContext;
      const place = `${listed(group.map(({ context }) => context))} at ${placeOf(first.made.value)}`;
      const isLast = index === groups.length - 1;
      return isLast || first.made.authorityPem === null
        ? placeLines(place, first.made.authorityPem, whose(first))
        : [`${place}${whose(first)}`];
    }),
  );
  return question(kind, contexts, lines);
}

function trustOf({ made }: PlannedContext): string {
  return trust(made.server, made.authorityKey, made.value);
}

function insecure(fresh: readonly PlannedContext[]): PlanQuestion | null {
  const contexts = fresh.filter(({ made }) => isInsecure(made.value));
  const lines = givenFirst(contexts, whose).map((each) => {
    const { context, made } = each;
    const why = made.value.insecureSkipTlsVerify
      ? 'its server’s certificate is not checked (insecure-skip-tls-verify): anyone on the way can read the credential'
      : 'no TLS';
    return `${shownName(context)} at ${placeOf(made.value)}: ${why}${whose(each)}`;
  });
  return question('insecure', contexts, lines);
}

interface Audience {
  /** Whose token it is, for display. */
  words: string;
  /** Names of clusters by server. */
  servers: Map<string, string[]>;
  /** The clusters that are imported. */
  contexts: PlannedContext[];
  /** A cluster of config.yaml gets it, too. */
  isKnown: boolean;
}

/**
 * An OpenID token is valid wherever its client is accepted; the operator of one server could use it at the others. So
 * is the token of an existing account, or of a file: a kubeconfig can have it sent without knowing it.
 */
function sharedAudiences(planned: readonly PlannedContext[], config: LoadedEntries): PlanQuestion[] {
  const audiences = new Map<string, Audience>();
  const at = ({ key, words }: Pick<Audience, 'words'> & { key: string }, server: string, name: string) => {
    const fresh: Audience = { words, servers: new Map(), contexts: [], isKnown: false };
    const audience = audiences.get(key) ?? fresh;
    audiences.set(key, audience);
    const names = audience.servers.get(server);
    names ? names.push(name) : audience.servers.set(server, [name]);
    return audience;
  };
  for (const each of planned) {
    const isStatic = 'staticToken' in each.value && (each.accountExists || tokenFileOf(each.value) !== null);
    // A plugin that is told the cluster has a separate credential for each.
    const isPlugin = 'execPlugin' in each.value && !tellsPlugin(each.value);
    if (!each.exists && ('oidc' in each.value || isStatic || isPlugin)) {
      at(tokenOf(each.account, each.value), each.made.server, each.context).contexts.push(each);
    }
  }
  for (const { name, config: entry } of config.clusters.values()) {
    const account = config.accounts.get(entry.account)?.config;
    // With an audience, the token is exchanged for one that is valid only there (RFC 8693).
    const isShared = account && !('clientCertificate' in account) && !tellsPlugin(account);
    if (isShared && entry.audience === undefined) {
      at(tokenOf(entry.account, account), comparedUrl(entry.server), name).isKnown = true;
    }
  }
  return [...audiences.values()].flatMap(({ words, servers, contexts, isKnown }) => {
    if (servers.size < 2 || contexts.length === 0) {
      return [];
    }
    const lines = [
      `${words} is good at ${servers.size} servers: who runs one of them could use it at the others`,
      ...[...servers].map(([server, names]) => `${listed(names)} at ${shown(server)}`),
    ];
    const asked = question('sharedAudience', contexts, lines);
    return asked ? { ...asked, isUsual: asked.isUsual && !isKnown } : [];
  });
}

function question(
  kind: PlanQuestion['kind'],
  contexts: readonly PlannedContext[],
  lines: readonly string[],
): PlanQuestion | null {
  const isUsual =
    (kind === 'unknownAuthority' || kind === 'sharedAudience') &&
    contexts.every(({ accountExists }) => !accountExists);
  return contexts.length === 0
    ? null
    : { kind, contexts: contexts.map(({ context }) => context), lines, isUsual };
}

function isInsecure(entry: { server: string; insecureSkipTlsVerify?: boolean | undefined }): boolean {
  return entry.insecureSkipTlsVerify === true || /^http:/i.test(entry.server);
}

/** The route to a server, and the name that it has to prove. */
interface Way {
  tlsServerName?: string | undefined;
  proxyUrl?: string | undefined;
}

/** Who is trusted: through a proxy and under another name, the same address with the same CA is another server. */
function trust(server: string, authority: string, { tlsServerName, proxyUrl }: Way): string {
  const proxy = proxyUrl === undefined ? null : comparedUrl(proxyUrl);
  return JSON.stringify([server, authority, tlsServerName?.toLowerCase() ?? null, proxy]);
}

/** What is sent there that isn't in the kubeconfig; empty: nothing. */
function whose({ account, accountExists, value }: PlannedContext): string {
  const source = sourceOf(value);
  if (accountExists) {
    return `; it gets the credential of the account ${account}, which is there already`;
  }
  return source === null ? '' : `; it gets ${source}`;
}

/** There may be thousands of others; not all are shown. */
function givenFirst<Each>(all: readonly Each[], given: (each: Each) => string): Each[] {
  return [...all.filter((each) => given(each) !== ''), ...all.filter((each) => given(each) === '')];
}

function tokenOf(name: string, account: object): { key: string; words: string } {
  if ('oidc' in account) {
    const { issuer, clientId } = account.oidc as { issuer: string; clientId: string };
    return {
      key: `${issuer}\n${clientId}`,
      words: `the token of ${visibleText(clientId, 200)} at ${shown(issuer)}`,
    };
  }
  const what = 'execPlugin' in account ? 'credential' : 'token';
  return { key: `account\n${name}`, words: `the ${what} of the account ${name}` };
}
