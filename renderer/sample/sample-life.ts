import type { SampleWorld } from './sample-world.ts';
import { minutes, seconds } from './spans.ts';

/** The callers of the invented world, one after another. */
const callers = [
  ['prod-eu', 'kubectl', 'zsh'],
  ['kind-dev', 'tilt', 'zsh'],
  ['gke-data', 'terraform', 'make'],
  ['prod-ap', 'k9s', 'tmux'],
  ['edge-01', 'kubectl', 'bash'],
] as const;

/**
 * Lets time pass in the invented world: calls arrive, credentials are renewed or expire, a program asks. Returns a
 * function that stops it.
 */
export function beginLife(world: SampleWorld): () => void {
  const { time } = world;
  const begun = time.now();
  let beats = 0;
  let stop = time.after(seconds(1), beat);

  function beat(): void {
    stop = time.after(seconds(1), beat);
    if (world.get('lock', '')?.kind !== 'open') {
      return;
    }
    beats += 1;
    renewWhatIsDue(world);
    if (beats % 6 === 0) {
      call(world, beats / 6);
    }
    if (beats === 15) {
      renew(world, 'gke-data');
    }
    if (beats % 300 === 25) {
      ask(world, begun + beats);
    }
    for (const question of world.list('questions')) {
      if (question.endsAt <= time.now()) {
        world.set('questions', question.id, null);
      }
    }
  }
  return () => stop();
}

/** Gives the cluster its next credential, starting now. */
export function renew(world: SampleWorld, name: string): number | null {
  const cluster = world.get('clusters', name);
  const held = cluster?.credential;
  if (!cluster || !held) {
    return null;
  }
  const now = world.time.now();
  const { issuedAt, expiresAt } = held;
  if (issuedAt === null || expiresAt === null) {
    return expiresAt;
  }
  const life = expiresAt - issuedAt;
  const next = {
    ...held,
    issuedAt: now,
    expiresAt: now + life,
    renewsAt: held.renewsAt === null ? null : now + life - Math.min(minutes(7), life / 3),
    generation: held.generation + 1,
  };
  world.patch('clusters', name, { credential: next, laneVersion: cluster.laneVersion + 1000 });
  return next.expiresAt;
}

function renewWhatIsDue(world: SampleWorld): void {
  for (const { name, credential, state } of world.list('clusters')) {
    if (state === 'ready' && credential?.renewsAt != null && credential.renewsAt <= world.time.now()) {
      renew(world, name);
    }
  }
}

function call(world: SampleWorld, count: number): void {
  const [name, program, parent] = callers[count % callers.length] ?? callers[0];
  const at = world.time.now();
  world.patch('clusters', name, {
    lastCall: {
      at,
      program,
      parent,
      outcome: 'handedOut',
      reason: 'good',
      microseconds: 800 + ((count * 137) % 700),
    },
  });
  const strip = world.get('strip', '');
  if (strip) {
    const { thisHour } = strip;
    world.patch('strip', '', { thisHour: { ...thisHour, handedOut: thisHour.handedOut + 1 } });
  }
}

function ask(world: SampleWorld, number: number): void {
  const now = world.time.now();
  const cluster = world.get('clusters', 'prod-eu');
  if (!cluster) {
    return;
  }
  const id = `sample-${number}`;
  world.set('questions', id, {
    id,
    kind: 'approval',
    askedAt: now,
    endsAt: now + minutes(2),
    target: { kind: 'cluster', name: cluster.name },
    account: cluster.account,
    server: cluster.server,
    caller: {
      lineage: ['kubectl', 'zsh', 'tmux'],
      executable: '/usr/local/bin/kubectl',
      pid: 48213,
      origin: 'local',
      sure: true,
    },
    printed: false,
    unchecked: false,
    rows: [
      ['cluster', cluster.name],
      ['account', cluster.account],
      ['server', cluster.server],
      ['program', '/usr/local/bin/kubectl'],
      ['process', '48213'],
      ['run by', 'kubectl ← zsh ← tmux'],
      ['from', 'this machine'],
    ],
    policy: 'perTerminal',
    answers: ['once', '15m', '1h', '8h', 'policy'],
    inWindow: false,
    onTerminal: true,
    waiting: 1,
    ended: null,
  });
}
