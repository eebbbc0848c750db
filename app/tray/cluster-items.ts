import { counted } from '../../main/contract/ui/count-text.ts';
import { type Health, healthOf } from '../../main/contract/ui/health.ts';
import { groupLabels, insecureWords, leftWords, urgency } from '../../main/contract/ui/health-words.ts';
import { type ShortName, shortNames } from '../../main/contract/ui/short-name.ts';
import type { ClusterView, UiState } from '../../main/contract/ui/state.ts';
import { clockText, leftText } from '../../main/contract/ui/time-texts.ts';
import { whoWaits } from '../../main/contract/ui/wanted-words.ts';
import type { Action } from '../actions.ts';
import { menuText } from './menu-text.ts';
import type { TrayItem } from './tray-item.ts';

/** More clusters are a click away, in the window with its search. */
const mostLines = 10;

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The meaning of a line: one cluster, or all clusters of an account that need its login, by the first of them. */
interface Entry {
  how: Health;
  cluster: ClusterView;
  /** How many clusters the line is for. */
  clusters: number;
}

/** What lines say, told apart among them. */
interface Called {
  clusters: ReadonlyMap<string, ShortName>;
  accounts: ReadonlyMap<string, ShortName>;
}

interface Line {
  how: Health;
  label: string;
  action: Action;
}

/** The clusters under the headings of their groups, those that need the user first. */
export function clusterItems({ clusters, accounts }: UiState, now: number): TrayItem[] {
  const entries = entriesOf(Object.values(clusters), now);
  const shown = firstOf(entries, mostLines);
  const rest = sumOf(entries) - sumOf(shown);
  const more: TrayItem[] =
    rest === 0
      ? []
      : [{ kind: 'action', label: `${rest} more clusters…`, action: { kind: 'show', route: '#/clusters' } }];
  const called: Called = {
    clusters: shortNames(shown.map(({ cluster }) => cluster)),
    accounts: shortNames(Object.values(accounts)),
  };
  return [...underHeadings(shown.map((entry) => lineOf(entry, accounts, called, now))), ...more];
}

function entriesOf(clusters: readonly ClusterView[], now: number): Entry[] {
  const logins = new Map<string, Entry>();
  const entries: Entry[] = [];
  for (const cluster of clusters) {
    // Pending clusters are listed above, with everything to approve.
    if (cluster.state === 'held') {
      continue;
    }
    const known = needsLogin(cluster) ? logins.get(cluster.account) : undefined;
    if (known) {
      known.clusters += 1;
      known.cluster = names.compare(cluster.name, known.cluster.name) < 0 ? cluster : known.cluster;
      continue;
    }
    const entry = { how: healthOf(cluster, now), cluster, clusters: 1 };
    entries.push(entry);
    if (needsLogin(cluster)) {
      logins.set(cluster.account, entry);
    }
  }
  return entries;
}

/**
 * The first of the entries in order. Sorting a thousand names by locale could take longer than a menu may take to
 * open.
 */
function firstOf(entries: readonly Entry[], count: number): Entry[] {
  const first: Entry[] = [];
  for (const entry of entries) {
    const last = first[count - 1];
    if (last && inOrder(last, entry) <= 0) {
      continue;
    }
    const place = first.findIndex((each) => inOrder(entry, each) < 0);
    first.splice(place === -1 ? first.length : place, 0, entry);
    first.length = Math.min(first.length, count);
  }
  return first;
}

function inOrder(a: Entry, b: Entry): number {
  return urgency[a.how] - urgency[b.how] || names.compare(a.cluster.name, b.cluster.name);
}

function sumOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { clusters }) => sum + clusters, 0);
}

function underHeadings(lines: readonly Line[]): TrayItem[] {
  return lines.flatMap(({ how, label, action }, at) => {
    const heading = groupLabels[how];
    const before = lines[at - 1];
    const item: TrayItem = { kind: 'action', label, action };
    return before && groupLabels[before.how] === heading
      ? [item]
      : [{ kind: 'heading', label: heading }, item];
  });
}

function needsLogin({ state }: ClusterView): boolean {
  return state === 'loginNeeded' || state === 'interrupted';
}

function lineOf(entry: Entry, accounts: UiState['accounts'], called: Called, now: number): Line {
  const { how, cluster } = entry;
  return {
    how,
    ...(needsLogin(cluster) ? ofLogin(entry, accounts, called) : ofCluster(cluster, how, called, now)),
  };
}

/** A cluster's name with the text of its mark: a menu has no colours. */
function clusterText({ name, displayName, mark }: ClusterView, { clusters }: Called): string {
  // Only the clusters of these lines are compared: another may be called what this one’s display name is.
  const text =
    displayName === null
      ? menuText(clusters.get(name)?.short ?? name)
      : `${menuText(displayName)} (${menuText(name)})`;
  return mark ? `${text} [${menuText(mark.text)}]` : text;
}

function accountText(name: string, { accounts }: Called): string {
  return menuText(accounts.get(name)?.short ?? name);
}

function ofLogin(
  { cluster, clusters }: Entry,
  accounts: UiState['accounts'],
  called: Called,
): Omit<Line, 'how'> {
  const { account } = cluster;
  const { wanted, login } = accounts[account] ?? {};
  if (login) {
    const route = `#/accounts/${encodeURIComponent(account)}`;
    return { label: `Logging in to ${accountText(account, called)}…`, action: { kind: 'show', route } };
  }
  const what =
    clusters === 1
      ? clusterText(cluster, called)
      : `${accountText(account, called)} (${counted(clusters, 'cluster')})`;
  const who = wanted ? `: ${menuText(whoWaits(wanted))}` : '';
  return { label: `Log in to ${what}${who}…`, action: { kind: 'login', account } };
}

function ofCluster(cluster: ClusterView, how: Health, called: Called, now: number): Omit<Line, 'how'> {
  const name = clusterText(cluster, called);
  const look: Action = { kind: 'show', route: `#/clusters/${encodeURIComponent(cluster.name)}` };
  if (cluster.state === 'secretMissing') {
    const route = `#/accounts/${encodeURIComponent(cluster.account)}`;
    return {
      label: `Set the secret of ${accountText(cluster.account, called)}…`,
      action: { kind: 'show', route },
    };
  }
  if (cluster.state === 'expired') {
    const route = `#/accounts/${encodeURIComponent(cluster.account)}`;
    const what = cluster.kind === 'pkcs11' ? 'certificate' : 'secret';
    return {
      label: `Replace the expired ${what} of ${accountText(cluster.account, called)}…`,
      action: { kind: 'show', route },
    };
  }
  // Credentials of other kinds are replaced by hand.
  const canRenew = !cluster.byHand && (cluster.kind === 'oidc' || cluster.kind === 'execPlugin');
  if (how === 'soon' && canRenew) {
    const label = `Renew ${name}: ${timeWords(cluster, how, now)}`;
    return { label, action: { kind: 'renew', cluster: cluster.name } };
  }
  return { label: `${name}: ${timeWords(cluster, how, now)}`, action: look };
}

/** The time left, in the words of the list of clusters, and the mark of one that isn’t verified. */
function timeWords(cluster: ClusterView, how: Health, now: number): string {
  const words = leftIn(cluster, how, now);
  return cluster.isInsecure ? `${words}, ${insecureWords}` : words;
}

function leftIn(cluster: ClusterView, how: Health, now: number): string {
  const { credential } = cluster;
  if (!credential || (how !== 'good' && how !== 'soon')) {
    return leftWords(cluster, how, now).large;
  }
  const { expiresAt, renewsAt, trouble } = credential;
  if (expiresAt === null) {
    return 'never expires';
  }
  if (how === 'soon') {
    const left = expiresAt - now < 60_000 ? 'less than a minute' : leftText(expiresAt - now);
    return trouble === null ? `expires in ${left}` : `renewal failed, expires in ${left}`;
  }
  if (renewsAt !== null) {
    return renewsAt <= now ? 'renewing now' : `renews ${when(renewsAt, now)}`;
  }
  return cluster.byHand ? `expires ${when(expiresAt, now)}` : 'renewed on demand';
}

/** `at 14:31`, or `6 Mar 14:31` on another day. */
function when(at: number, now: number): string {
  const [clock, whole] = [clockText(at), clockText(at, now)];
  return clock === whole ? `at ${clock}` : whole;
}
