import type { Standing } from '../../main/contract/ui/standing.ts';
import { groupLabels, leftWords, urgency } from '../../main/contract/ui/standing-words.ts';
import type { ClusterView, UiState } from '../../main/contract/ui/state.ts';
import { clockText, leftText } from '../../main/contract/ui/time-texts.ts';
import { whoWaits } from '../../main/contract/ui/wanted-words.ts';
import type { Action } from '../actions.ts';
import { menuText } from './menu-text.ts';
import type { TrayItem } from './tray-item.ts';
import { trayStanding } from './tray-standing.ts';

/** So many lines: the rest is a click away, in a window with a search. */
const mostLines = 10;

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

interface Line {
  how: Standing;
  label: string;
  action: Action;
  /** How many clusters it stands for. */
  clusters: number;
}

/** The clusters, those that need something first, below their groups' headings. */
export function clusterItems({ clusters, accounts }: UiState, now: number): TrayItem[] {
  const lines = [...Object.values(clusters)]
    .map((cluster) => ({ cluster, how: trayStanding(cluster, accounts, now) }))
    // What is held waits above, with all that is to be confirmed.
    .filter(({ cluster }) => cluster.state !== 'held')
    .toSorted((a, b) => urgency[a.how] - urgency[b.how] || names.compare(a.cluster.name, b.cluster.name));
  const logins = new Map<string, Line>();
  const all: Line[] = [];
  for (const { cluster, how } of lines) {
    const known = logins.get(cluster.account);
    if (needsLogin(cluster) && known) {
      known.clusters += 1;
      known.label = `Log in to ${menuText(cluster.account)} (${known.clusters} clusters)…`;
      continue;
    }
    const line = { how, clusters: 1, ...lineOf(cluster, how, now) };
    if (needsLogin(cluster)) {
      logins.set(cluster.account, line);
    }
    all.push(line);
  }
  for (const [account, line] of logins) {
    const wanted = accounts[account]?.wanted;
    if (wanted) {
      line.label = `${line.label.slice(0, -1)}: ${menuText(whoWaits(wanted))}…`;
    }
    if (accounts[account]?.login) {
      line.label = `Logging in to ${menuText(account)}…`;
      line.action = { kind: 'show', route: `#/accounts/${encodeURIComponent(account)}` };
    }
  }
  const shown = all.slice(0, mostLines);
  const rest = all.slice(mostLines).reduce((sum, line) => sum + line.clusters, 0);
  const more: TrayItem[] =
    rest === 0
      ? []
      : [{ kind: 'action', label: `${rest} more clusters…`, action: { kind: 'show', route: '#/clusters' } }];
  return [...underHeadings(shown), ...more];
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

function lineOf(cluster: ClusterView, how: Standing, now: number): { label: string; action: Action } {
  const name = menuText(cluster.name);
  const look: Action = { kind: 'show', route: `#/clusters/${encodeURIComponent(cluster.name)}` };
  if (needsLogin(cluster)) {
    return { label: `Log in to ${name}…`, action: { kind: 'login', account: cluster.account } };
  }
  if (cluster.state === 'secretMissing') {
    const route = `#/accounts/${encodeURIComponent(cluster.account)}`;
    return { label: `Set the secret of ${menuText(cluster.account)}…`, action: { kind: 'show', route } };
  }
  // Others are replaced by hand alone.
  const canRenew = cluster.kind === 'oidc' || cluster.kind === 'execPlugin';
  if (how === 'soon' && canRenew) {
    const label = `Renew ${name}: ${timeWords(cluster, how, now)}`;
    return { label, action: { kind: 'renew', cluster: cluster.name } };
  }
  return { label: `${name}: ${timeWords(cluster, how, now)}`, action: look };
}

/** How long, as the list of clusters says it. */
function timeWords(cluster: ClusterView, how: Standing, now: number): string {
  const { credential } = cluster;
  if (!credential || (how !== 'good' && how !== 'soon')) {
    return leftWords(cluster, how, now).large;
  }
  const { expiresAt, renewsAt, trouble } = credential;
  if (expiresAt === null) {
    return 'no end';
  }
  if (how === 'soon') {
    const left = expiresAt - now < 60_000 ? 'less than a minute' : leftText(expiresAt - now);
    return trouble === null ? `ends in ${left}` : `renewal failed, ends in ${left}`;
  }
  if (renewsAt !== null) {
    return renewsAt <= now ? 'renewing now' : `renews ${when(renewsAt, now)}`;
  }
  return `ends ${when(expiresAt, now)}`;
}

/** `at 14:31`; of another day `Fri 14:31`. */
function when(at: number, now: number): string {
  const [clock, whole] = [clockText(at), clockText(at, now)];
  return clock === whole ? `at ${clock}` : whole;
}
