import type { Disposables } from '../../base/disposables.ts';
import { createDockerCalls } from '../../doors/ui/calls/docker-calls.ts';
import { createImportCalls } from '../../doors/ui/calls/import-calls.ts';
import { createProviderCalls } from '../../doors/ui/calls/provider-calls.ts';
import { createUndoCalls } from '../../doors/ui/calls/undo-calls.ts';
import { fewAtATime } from '../../doors/ui/few-at-a-time.ts';
import { createPlanStore, type PastedText, type ShownPlan } from '../../doors/ui/import/plan-store.ts';
import { createWorkBudget } from '../../doors/ui/work-budget.ts';
import { givenFault } from '../../kubeconfig/import/given-fault.ts';
import { kubeconfigPaths } from '../../kubeconfig/read/kubeconfig-paths.ts';
import { readKubeconfigs } from '../../kubeconfig/read/read-kubeconfigs.ts';
import { findProviders } from '../../operations/import-providers/find.ts';
import type { PreparedProviders } from '../../operations/import-providers/prepare.ts';
import { findProgram } from '../../platform/programs/find-program.ts';
import { createPathInspector } from '../../platform/programs/inspect-plugin.ts';
import { type Areas, forgetWithAnswers } from '../areas.ts';

/** Milliseconds of the thread. A large kubeconfig takes most of a second; the user imports only a few times. */
const importWork = { atOnce: 4_000, share: 0.25 };

/**
 * A page names files, and could name large ones again and again. 4 MiB of kubectl's layout, about 1,600 contexts, are
 * read in some 50 ms. Another layout, such as JSON, keeps the thread several times as long: of each file 50,000 parts
 * are read, in 100 to 200 ms, right or wrong; that is some 500 contexts. The command line reads more.
 */
const pageLimits = {
  togetherBytes: 4 * 1024 * 1024,
  parts: 50_000,
};

export function importCalls(areas: Areas, disposables: Disposables) {
  const { deps, kubeconfigs, consent, locking, docker } = areas;
  const { clock, environment } = deps;
  const { importing, editing, kubeconfigWatch } = kubeconfigs;
  const { gate } = locking;
  const { windows } = consent;
  const { platform } = process;
  const budget = createWorkBudget(importWork, clock);
  const keeping = { clock, vault: deps.vault, gate };
  const plans = disposables.add(createPlanStore<ShownPlan>(keeping));
  const gone = { message: 'what was pasted is not kept any more', hint: 'paste it again' };
  const pasted = disposables.add(createPlanStore<PastedText>({ ...keeping, gone }));
  return {
    ...fewAtATime(
      1,
      createImportCalls({
        ...importing,
        ...editing,
        readSource: (files, caller, signal) => importing.readSource(files, caller, signal, pageLimits),
        plans,
        pasted,
        windows,
        givenFault: (text, name) => givenFault(text, name, pageLimits.parts),
        gate,
        environment,
        platform,
        watch: kubeconfigWatch,
        paths: () => kubeconfigPaths(environment, platform, '/'),
        readKubeconfigs: (files, options) => readKubeconfigs(files, { ...options, page: pageLimits }),
      }),
      ['import.found', 'import.plan', 'import.diff', 'import.stands'],
      budget,
    ),
    ...fewAtATime(
      1,
      createProviderCalls({
        ...editing,
        inspect: createPathInspector(),
        find: () => findProviders(environment['HOME'] ?? environment['USERPROFILE'] ?? ''),
        apply: importing.apply,
        onRemoved: (account) => forgetWithAnswers(areas, account),
        plans: disposables.add(createPlanStore<PreparedProviders>(keeping)),
        gate,
      }),
      ['providers.found', 'providers.plan'],
      budget,
    ),
    ...createDockerCalls({ docker, gate, clock, environment, findProgram }),
    ...createUndoCalls({ ...editing, gate, windows }),
  };
}
