import type { LoadedCluster } from '../loaded-config.ts';
import { clusterTarget } from '../target/cluster-target.ts';
import type { Target } from '../target/target.ts';
import { type ChainStep, chainSteps } from './chain.ts';

/** A chain step by step, and what each needs a credential for: the cluster as a target, with the step’s own account. */
export interface ChainTargets {
  own: Target;
  steps: ReadonlyMap<ChainStep, Target | null>;
  /** Each once, `own` first. */
  all: readonly Target[];
}

const made = new WeakMap<LoadedCluster, ChainTargets>();

export function chainTargets(cluster: LoadedCluster): ChainTargets {
  const known = made.get(cluster);
  if (known) {
    return known;
  }
  const own = clusterTarget(cluster);
  const all: Target[] = [own];
  const targetOf = (step: ChainStep): Target | null => {
    const from = sourceOf(step);
    if (from === null) {
      return null;
    }
    const { account, audience } = from;
    const same = all.find((each) => each.account === account && each.audience === audience);
    if (same) {
      return same;
    }
    const target: Target = { ...own, shape: own.shape, account, audience };
    all.push(target);
    return target;
  };
  const steps = new Map(
    chainSteps(cluster.config.proxy ?? { chain: [] }).map((step) => [step, targetOf(step)]),
  );
  const targets = { own, steps, all };
  made.set(cluster, targets);
  return targets;
}

function sourceOf(step: ChainStep): { account: string; audience: string | null } | null {
  switch (step.kind) {
    case 'sign':
      return { account: step.account, audience: null };
    case 'set':
    case 'add':
      return 'value' in step.from ? null : step.from;
    default:
      return null;
  }
}
