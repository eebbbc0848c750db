import { randomUUID } from 'node:crypto';
import type { Disposable } from '../../../base/disposables.ts';
import type { Secret } from '../../../base/secret.ts';
import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { KubeconfigSource } from '../../../domain/import/given-text.ts';
import type { ImportSelection, ImportSource, PreparedImport } from '../../../kubeconfig/import/prepare.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { Clock } from '../../../ports/clock.ts';

/** A plan of an import of kubeconfigs. */
export interface ShownPlan {
  sources: readonly KubeconfigSource[];
  /** See `ImportCaller`. */
  apart: boolean;
  source: ImportSource;
  selection: ImportSelection;
  prepared: PreparedImport;
  /** Why it would not be carried out, as things were when it was shown; null: nothing was known against it. */
  refused: BrokerError | null;
  /** By its id, what was pasted for it; null: it is of files. */
  pasted: string | null;
}

/** A kubeconfig that was pasted, for plans to be made of. */
export interface PastedText {
  text: Secret;
}

/** The same as a page has shown it. */
export type KeptPlan = Kept<ShownPlan>;

type Kept<Plan> = Plan & { id: string };

/** Plans that were shown and not carried out yet. Few, short-lived and gone with a lock: they contain the files’ secrets. */
export interface PlanStore<Plan extends object> extends Disposable {
  /** Throws what the gate says: a lock that came meanwhile must not miss it. */
  keep(plan: Plan): Kept<Plan>;
  /** Throws `import.planGone`. */
  get(id: string): Kept<Plan>;
  /** Like `get`, but removes the plan: it is carried out once. */
  take(id: string): Kept<Plan>;
  /** Removes it, if it is still kept. */
  drop(id: string): void;
}

export interface PlanStoreDeps {
  clock: Pick<Clock, 'after'>;
  vault: { onChange(listener: () => void): Disposable };
  gate: Gate;
  gone?: { message: string; hint: string };
}

const mostPlans = 4;
const lifeMilliseconds = 30 * 60_000;

export function createPlanStore<Plan extends object>({
  clock,
  vault,
  gate,
  gone = {
    message: 'that plan is not kept any more',
    hint: 'look again: a new plan is made of what is there now',
  },
}: PlanStoreDeps): PlanStore<Plan> {
  const plans = new Map<string, { plan: Kept<Plan>; timer: Disposable }>();
  const drop = (id: string) => {
    plans.get(id)?.timer.dispose();
    plans.delete(id);
  };
  const dropAll = () => {
    for (const id of [...plans.keys()]) {
      drop(id);
    }
  };
  const listening = vault.onChange(() => {
    if (gate()) {
      dropAll();
    }
  });
  const get = (id: string) => {
    const found = plans.get(id);
    if (!found) {
      throw new BrokerError('import.planGone', gone.message, { reason: 'notFound', hint: gone.hint });
    }
    return found.plan;
  };
  return {
    keep(made) {
      const locked = gate();
      if (locked) {
        throw refusalError(locked);
      }
      const plan = { ...made, id: randomUUID() };
      plans.set(plan.id, { plan, timer: clock.after(lifeMilliseconds, () => drop(plan.id)) });
      for (const id of [...plans.keys()].slice(0, -mostPlans)) {
        drop(id);
      }
      return plan;
    },
    get,
    take(id) {
      const plan = get(id);
      drop(id);
      return plan;
    },
    drop,
    dispose() {
      listening.dispose();
      dropAll();
    },
  };
}
