import type { Finding } from '../domain/text/finding.ts';
import type { RecordedEvent } from '../ports/history-reader.ts';

/** The part of the status that a bundle has. */
export interface BundleStatus {
  accounts: readonly { name: string; kind: string; state: string; problem: string | null }[];
  clusters: readonly {
    name: string;
    server: string;
    account: string;
    state: string;
    problem: string | null;
  }[];
}

/** An inventory in numbers. */
export interface BundleInventory {
  name: string;
  /** The hub’s cluster; null: files. */
  hub: string | null;
  state: {
    kind: string;
    lagMilliseconds: number | null;
    trouble: { code: string } | null;
    servedVersion: string | null;
  };
  /** By state. */
  profiles: Readonly<Record<string, number>>;
  /** Objects that are left out. */
  problems: number;
}

/** The request proxy in numbers. */
export interface BundleProxy {
  isRunning: boolean;
  clusters: number;
  requests: number;
  faults: number;
}

/** What a bundle is made of. None of it holds a secret. */
export interface BundleParts {
  /** Milliseconds since 1970. */
  now: number;
  versions: readonly { what: string; version: string }[];
  findings: readonly (Finding & { group: string })[];
  status: BundleStatus & {
    inventories: readonly BundleInventory[];
    vault: string;
    requestProxy: BundleProxy;
    problems: readonly string[];
  };
  settings: Readonly<Record<string, unknown>>;
  /** The newest last. */
  events: readonly RecordedEvent[];
}

/** Names and addresses that could identify a user or a company. */
export interface KnownNames {
  accounts: readonly string[];
  /** Also contexts of profiles that are gone. */
  clusters: readonly string[];
  inventories: readonly string[];
  /** `NAMESPACE/NAME` of profiles. */
  profiles: ReadonlySet<string>;
  /** The user's home folder. */
  home: string;
  user: string;
}

/** A text for someone who helps: the user reads it before it leaves. `hide` null: with all names and addresses. */
export function supportBundle(parts: BundleParts, hide: KnownNames | null): string {
  const section = (title: string, lines: readonly string[]) =>
    [`## ${title}`, ...(lines.length === 0 ? ['none'] : lines), ''].join('\n');
  const { status } = parts;
  const text = [
    `# Lanyard: a support bundle of ${new Date(parts.now).toISOString()}`,
    hide ? 'Names and addresses are replaced.\n' : 'With names and addresses.\n',
    section(
      'Versions',
      parts.versions.map(({ what, version }) => `${what}: ${version}`),
    ),
    section(
      'Findings',
      parts.findings.map(
        ({ level, group, check, subject, message, hint }) =>
          `${level} ${group}/${check}${subject === null ? '' : ` (${subject})`}: ${hide ? withoutQuotes(check, message) : message}${hint === null ? '' : `; ${hint}`}`,
      ),
    ),
    section('Vault', [status.vault]),
    section(
      'Accounts',
      status.accounts.map(({ name, kind, state, problem }) => line([name, kind, state], problem)),
    ),
    section(
      'Clusters',
      status.clusters.map(({ name, server, account, state, problem }) =>
        line([name, server, account, state], problem),
      ),
    ),
    section('Inventories', status.inventories.map(inventoryLine)),
    section('Request proxy', [proxyLine(status.requestProxy)]),
    section('Problems', status.problems),
    section(
      'Settings',
      Object.entries(parts.settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ),
    section(
      'What did not go well lately',
      parts.events.map(
        ({ at, event }) => `${new Date(at).toISOString()} ${JSON.stringify(eventFields(event))}`,
      ),
    ),
  ].join('\n');
  const plain = withoutCredentials(text);
  return hide ? withoutNames(plain, hide) : plain;
}

function line(words: readonly string[], problem: string | null): string {
  return problem === null ? words.join(' · ') : `${words.join(' · ')}: ${problem}`;
}

function inventoryLine({ name, hub, state, profiles, problems }: BundleInventory): string {
  const { kind, lagMilliseconds, trouble, servedVersion } = state;
  const counts = Object.entries(profiles).map(([of, count]) => `${of} ${count}`);
  return line(
    [
      name,
      hub ?? 'files',
      servedVersion ?? 'no version',
      kind,
      lagMilliseconds === null
        ? 'never read completely'
        : `read ${Math.round(lagMilliseconds / 1_000)} s ago`,
      counts.join(', '),
      `${problems} left out`,
    ],
    trouble?.code ?? null,
  );
}

function proxyLine({ isRunning, clusters, requests, faults }: BundleProxy): string {
  return [
    isRunning ? 'runs' : 'doesn’t run',
    `clusters ${clusters}`,
    `requests under way ${requests}`,
    `faults ${faults}`,
  ].join(' · ');
}

/** Checks whose messages quote a hub, or files, after a colon: their text may name anything. */
const quoting: ReadonlySet<string> = new Set([
  'inventory.source',
  'inventory.objects',
  'inventory.unusable',
  'inventory.ignored',
]);

function withoutQuotes(check: string, message: string): string {
  if (!quoting.has(check)) {
    return message;
  }
  // A fault of one namespace begins with its name.
  const [first = ''] = check === 'inventory.source' ? [] : message.split(': ');
  return `${first} [see Inventories]`.trim();
}

/** Of a caller only the program: its path and sessions say more about the user than helps. */
function eventFields(event: RecordedEvent['event']): object {
  if (!('caller' in event)) {
    return event;
  }
  const { caller, ...rest } = event;
  return { ...rest, program: caller.executable?.split(/[/\\]/).at(-1) ?? null, origin: caller.origin };
}

/** Nothing above holds one; this is the second door: what has the form of a token or a key goes all the same. */
export function withoutCredentials(text: string): string {
  return text
    .replace(/-----BEGIN [^-]*-----[\s\S]*?(-----END [^-]*-----|$)/g, '[removed: PEM]')
    .replace(/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*)?/g, '[removed: token]')
    .replace(/\b(bearer|basic)\s+[A-Za-z0-9+/._~-]{8,}=*/gi, '$1 [removed]')
    .replace(/(:\/\/)[^/\s:@]+:[^/\s@]+@/g, '$1[removed]@');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The same name becomes the same word everywhere, so that what belongs together can be seen. */
function withoutNames(
  text: string,
  { accounts, clusters, inventories, profiles, home, user }: KnownNames,
): string {
  const words = new Map<string, string>();
  const counts = new Map<string, number>();
  const wordFor = (kind: string, found: string) => {
    const key = `${kind} ${found.toLowerCase()}`;
    const known = words.get(key);
    if (known !== undefined) {
      return known;
    }
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    words.set(key, `${kind}-${count}`);
    return `${kind}-${count}`;
  };
  let hidden = text
    .replaceAll(home, '~')
    .replace(/[\w.-]+\/[\w.-]+/g, (found) => (profiles.has(found) ? wordFor('profile', found) : found))
    .replace(/\b[\w.+-]+@[\w-]+(\.[\w-]+)+/g, (found) => wordFor('person', found))
    .replace(
      /\b(https?:\/\/)([^\s/:,;)"']+)/g,
      (_, scheme: string, host: string) => `${scheme}${wordFor('host', host)}`,
    );
  // Those first that hold others.
  const names = [
    ...accounts.map((name) => ['account', name] as const),
    ...clusters.map((name) => ['cluster', name] as const),
    ...inventories.map((name) => ['inventory', name] as const),
    ...(user === '' ? [] : [['user', user] as const]),
  ].sort(([, a], [, b]) => b.length - a.length);
  for (const [kind, name] of names) {
    // There may be thousands, of which few occur.
    if (!hidden.includes(name)) {
      continue;
    }
    const whole = new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`, 'g');
    hidden = hidden.replace(whole, () => wordFor(kind, name));
  }
  return hidden
    .replace(/\b\d{1,3}(\.\d{1,3}){3}\b/g, (found) =>
      found.startsWith('127.') ? found : wordFor('address', found),
    )
    .replace(
      /(?<![\w-])([a-z0-9-]+\.)+(com|net|org|io|dev|example|local|internal|cloud)(?![\w-])/gi,
      (found) => wordFor('host', found),
    );
}
