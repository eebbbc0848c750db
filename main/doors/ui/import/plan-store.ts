import { randomUUID } from 'node:crypto';
import type { Disposable } from '../../../base/disposables.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { ImportSelection, ImportSource, PreparedImport } from '../../../kubeconfig/import/prepare.ts';
import type { Clock } from '../../../ports/clock.ts';

/** A plan that a page has shown. */
export interface KeptPlan {
  id: string;
  paths: readonly string[];
  source: ImportSource;
  selection: ImportSelection;
  prepared: PreparedImport;
}

/** Plans that were shown and not carried out yet. Few and short-lived: they contain the files’ secrets. */
export interface PlanStore extends Disposable {
  keep(plan: Omit<KeptPlan, 'id'>): KeptPlan;
  /** Throws `import.planGone`. */
  get(id: string): KeptPlan;
  /** Like `get`, but removes the plan: it is carried out once. */
  take(id: string): KeptPlan;
}

const mostPlans = 4;
const lifeMilliseconds = 30 * 60_000;

export function createPlanStore({ clock }: { clock: Pick<Clock, 'after'> }): PlanStore {
  const plans = new Map<string, { plan: KeptPlan; timer: Disposable }>();
  const drop = (id: string) => {
    plans.get(id)?.timer.dispose();
    plans.delete(id);
  };
  const get = (id: string) => {
    const found = plans.get(id);
    if (!found) {
      throw new BrokerError('import.planGone', 'that plan is not kept any more', {
        reason: 'notFound',
        hint: 'look again: a new plan is made of what is there now',
      });
    }
    return found.plan;
  };
  return {
    keep(made) {
      const plan = { id: randomUUID(), ...made };
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
    dispose() {
      for (const id of [...plans.keys()]) {
        drop(id);
      }
    },
  };
}
