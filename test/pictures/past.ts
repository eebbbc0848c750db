import { clusterName, type TargetName } from '../../main/domain/target/target.ts';
import { createHistory } from '../../main/history/index.ts';
import { callEvent, kubectl, pluginRun } from '../../main/history/testing/sample-events.ts';
import type { Caller } from '../../main/ports/caller.ts';
import type { HistoryEvent, RenewalReason } from '../../main/ports/history.ts';
import { silentLog } from '../../main/ports/log.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Past {
  at: number;
  event: HistoryEvent;
}

/** Writes what a person's three days left behind, by the product's own recorder under a clock set back. */
export function recordPast(file: string, now: number, kept: Readonly<Record<string, number | null>>): void {
  const clock = { now: () => now, boottime: () => performance.now(), after: () => ({ dispose: () => {} }) };
  const history = createHistory({ file, clock, log: silentLog });
  const events = [...calls(now), ...lives(now), ...keptSince(now, kept), ...trouble(now)].sort(
    (a, b) => a.at - b.at,
  );
  for (const { at, event } of events) {
    clock.now = () => at;
    history.record(event);
  }
  void history.dispose();
}

const programs: readonly { caller: Caller; share: number }[] = [
  { caller: program('/usr/bin/kubectl', 4711), share: 0.5 },
  { caller: program('/usr/local/bin/k9s', 5120), share: 0.75 },
  { caller: program('/usr/local/bin/helm', 6203), share: 0.9 },
  { caller: program('/usr/bin/terraform', 7044), share: 1 },
];

function program(executable: string, pid: number): Caller {
  return { ...kubectl, executable, pid, startTime: String(pid) };
}

/** Calls a day, in the hours in which somebody works. */
const askedFor: readonly { cluster: string; account: string; calls: number; audience?: string }[] = [
  { cluster: 'prod-eu', account: 'corp', calls: 420 },
  { cluster: 'prod-ap', account: 'corp', calls: 90 },
  { cluster: 'staging-eu', account: 'corp', calls: 260 },
  { cluster: 'prod-us', account: 'eks', calls: 150 },
  { cluster: 'staging-us', account: 'corp-us', calls: 60 },
  { cluster: 'gke-data', account: 'gcloud', calls: 70 },
  { cluster: 'edge-01', account: 'edge', calls: 24 },
  { cluster: 'edge-02', account: 'step', calls: 30 },
  { cluster: 'kind-dev', account: 'kind', calls: 110 },
];

function calls(now: number): Past[] {
  const dice = createDice();
  return askedFor.flatMap(({ cluster, account, calls: daily }) =>
    Array.from({ length: daily * 3 }, () => {
      // Nobody asks at night: nine hours of each day, the latest up to now.
      const at = now - Math.floor(dice() * 3) * day - Math.floor(hoursAgo(dice) * hour) - minute;
      const chance = dice();
      const { caller } = programs.find(({ share }) => dice() < share) ?? { caller: kubectl };
      const slow = dice() < 0.02;
      return {
        at,
        event: oneCall(
          { target: clusterName(cluster), account, caller },
          chance,
          slow ? 640_000 : 500 + dice() * 900,
        ),
      };
    }),
  );
}

/** More in the middle of a morning and of an afternoon than between them. */
function hoursAgo(dice: () => number): number {
  for (;;) {
    const ago = dice() * 9.5;
    if (dice() < 0.45 + 0.55 * Math.sin((ago / 9.5) * 2 * Math.PI) ** 2) {
      return ago;
    }
  }
}

function oneCall(
  of: { target: TargetName; account: string; caller: Caller },
  chance: number,
  microseconds: number,
): HistoryEvent {
  const spent = Math.round(microseconds);
  if (chance < 0.004) {
    const refused = { outcome: 'refused', generation: null, microseconds: spent } as const;
    return callEvent({ ...of, ...refused, reason: chance < 0.002 ? 'oidc.unreachable' : 'approval.denied' });
  }
  return callEvent({ ...of, reason: microseconds > 100_000 ? 'renewed' : 'held', microseconds: spent });
}

/** What lies in the vault, until its end: it was there two days ago. */
function keptSince(now: number, kept: Readonly<Record<string, number | null>>): Past[] {
  return Object.entries(kept).map(([account, end]) => {
    // X.509 has whole seconds.
    const expiresAt = end === null ? null : Math.floor(end / 1000) * 1000;
    const credential = end === null ? 'token' : 'certificate';
    const at = now - 2 * day;
    return {
      at,
      event: generation({ account, generation: 1, why: 'found', credential, issuedAt: null, expiresAt }),
    };
  });
}

type Generation = Extract<HistoryEvent, { kind: 'generation' }>;

function generation(
  fields: Partial<Generation> & Pick<Generation, 'account' | 'generation' | 'why'>,
): Generation {
  return {
    kind: 'generation',
    audience: null,
    credential: 'token',
    issuedAt: null,
    expiresAt: null,
    previousAge: null,
    previousLife: null,
    replacedCertificateAge: null,
    target: null,
    ...fields,
  };
}

/** Each credential and what took its place. */
function lives(now: number): Past[] {
  const of = (account: string, life: number, hours: number, last: number, plugin = false) =>
    renewals({ account, life, since: now - hours * hour, until: now - last, plugin });
  return [
    login('corp', now - 9.4 * hour),
    login('corp', now - 33 * hour),
    login('corp-us', now - 8.8 * hour),
    ...of('corp', 60 * minute, 9.4, 25 * minute),
    ...of('corp', 60 * minute, 33, 24 * hour),
    ...of('corp-us', 60 * minute, 8.8, 1.9 * hour),
    ...of('eks', 15 * minute, 9.2, 8 * minute, true),
    ...of('eks', 15 * minute, 33, 24 * hour, true),
    ...of('gcloud', 60 * minute, 7.5, 8 * minute, true),
    ...certificates('step', now),
  ];
}

/** For which cluster each plugin runs. */
const told: Readonly<Record<string, TargetName>> = {
  eks: clusterName('prod-us'),
  gcloud: clusterName('gke-data'),
  step: clusterName('edge-02'),
};

interface Life {
  account: string;
  life: number;
  since: number;
  until: number;
  plugin: boolean;
}

function renewals({ account, life, since, until, plugin }: Life): Past[] {
  const found: Past[] = [];
  let generation = 1;
  for (let at = since; at < until; generation += 1) {
    // A 401 in between ends one of them early.
    const early = account === 'corp' && generation === 7;
    const age = generation === 1 ? null : early ? life * 0.4 : life * 0.9;
    const why = generation === 1 ? 'loggedIn' : early ? 'rejected' : 'ahead';
    found.push(
      ...oneRenewal({
        account,
        at,
        life,
        why: plugin && why === 'loggedIn' ? 'needed' : why,
        age,
        plugin,
        number: generation,
      }),
    );
    at += generation + 1 === 7 && account === 'corp' ? life * 0.4 : life * 0.9;
  }
  return found;
}

function oneRenewal(given: {
  account: string;
  at: number;
  life: number;
  why: RenewalReason | 'loggedIn';
  age: number | null;
  plugin: boolean;
  number: number;
}): Past[] {
  const { account, at, life, why, age, plugin, number } = given;
  const found: Past[] = [];
  if (plugin) {
    found.push({
      at: at - 2,
      event: pluginRun({ account, target: told[account] ?? null, milliseconds: 610 + (at % 90) }),
    });
  }
  if (why !== 'loggedIn') {
    const event = { kind: 'renewal', account, audience: null, why, outcome: 'renewed', code: null } as const;
    found.push({ at: at - 1, event: { ...event, milliseconds: plugin ? 640 : 90 } });
  }
  if (why === 'rejected') {
    const event = { kind: 'rejection', account, audience: null, generation: 6, verdict: 'rejected' } as const;
    found.push({ at: at - 3, event: { ...event, target: clusterName('prod-eu'), action: 'renewed' } });
  }
  found.push({
    at,
    event: generation({
      account,
      generation: number,
      why,
      issuedAt: at,
      expiresAt: at + life,
      previousAge: age,
      previousLife: age === null ? null : life,
    }),
  });
  return found;
}

/** A plugin that gives certificates of 4 hours, replaced in the last hundredth of their lives, but for one. */
function certificates(account: string, now: number): Past[] {
  const life = 4 * hour;
  return Array.from({ length: 17 }, (_, index) => {
    const at = now - Math.round((index + 0.4) * 0.99 * life);
    const age = index === 5 ? 0.6 * life : 0.992 * life;
    const event = generation({
      account,
      generation: 20 - index,
      why: index === 5 ? 'rejected' : 'ahead',
      credential: 'certificate',
      issuedAt: at,
      expiresAt: at + life,
      previousAge: age,
      previousLife: life,
      replacedCertificateAge: age,
    });
    return [
      { at: at - 1, event: pluginRun({ account, target: told[account] ?? null, milliseconds: 420 }) },
      { at, event },
    ];
  }).flat();
}

function trouble(now: number): Past[] {
  const failed = {
    account: 'farm',
    target: clusterName('build-farm'),
    exitCode: 1,
    code: 'execPlugin.failed',
  };
  return [
    ...[34, 33, 31, 27, 19].map((ago) => ({
      at: now - ago * minute,
      event: pluginRun({ ...failed, callStatus: 'plugin_execution_error', milliseconds: 1_250 }),
    })),
    approval(now - 3.1 * hour, 'approved'),
    approval(now - 70 * minute, 'denied'),
    approval(now - 52 * minute, 'approved'),
    { at: now - 9.5 * hour, event: { kind: 'lock', what: 'unlocked', why: 'command' } },
    { at: now - 5 * hour, event: { kind: 'change', what: 'cluster.add', name: 'kind-dev' } },
  ];
}

function approval(at: number, outcome: 'approved' | 'denied'): Past {
  const of = { caller: kubectl, account: 'corp', target: clusterName('prod-eu'), policy: 'perTerminal' };
  return { at, event: { kind: 'approval', ...of, outcome, where: 'page' } };
}

function login(account: string, at: number): Past {
  const who = { issuer: 'https://id.corp.example', subject: 'dev', displayName: 'dev@corp.example' };
  return {
    at: at - 1,
    event: { kind: 'login', account, flow: 'browser', outcome: 'done', code: null, ...who },
  };
}

/** The same numbers each time (Park and Miller's). */
function createDice(): () => number {
  let state = 20_231;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
