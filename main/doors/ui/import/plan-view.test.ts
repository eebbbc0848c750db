import { expect, it } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import type { ChosenNames } from '../../../domain/import/chosen-names.ts';
import { planImport } from '../../../domain/import/plan-import.ts';
import { importOptions, kubeCluster, kubeconfig, kubeUser } from '../../../domain/import/testing/kube.ts';
import type { KeptPlan } from './plan-store.ts';
import { planView } from './plan-view.ts';

/** Its parts that are read. */
function viewOf(merged: ReturnType<typeof kubeconfig>, names: ChosenNames, inPlace = false) {
  const plan = planImport(importOptions(merged, { names, inPlace }));
  const kept = {
    id: 'plan',
    source: { merged },
    selection: { inPlace, names },
    prepared: { plan, edits: [], files: [] },
  } as unknown as KeptPlan;
  return planView(kept, { config: '/config.yaml', managed: '/kubeconfig' });
}

const nameable = (all: readonly { becomes: object }[]) =>
  all.map(({ becomes }) => 'canBeNamed' in becomes && becomes.canBeNamed);

it('offers a name where Lanyard makes one, once for what is shared, and where one was chosen', () => {
  const token = (value: string) => ({ token: new Secret(value) });
  const merged = kubeconfig(
    [
      kubeUser('бот', token('a')),
      kubeUser('бот too', token('a')),
      kubeUser('ci', token('b')),
      kubeUser('old', { username: 'me', password: new Secret('c') }),
    ],
    [kubeCluster('one'), kubeCluster('two')],
    [
      { name: '生产', user: 'бот', cluster: 'one', namespace: 'a' },
      { name: '生产 too', user: 'бот too', cluster: 'one', namespace: 'b' },
      { name: 'dev', user: 'ci', cluster: 'two' },
      { name: 'lost', user: 'old', cluster: 'two' },
    ],
  );
  const none = viewOf(merged, { accounts: new Map(), clusters: new Map() }, true);
  expect(nameable(none.users)).toEqual([true, false, false, false]);
  expect(nameable(none.contexts)).toEqual([true, false, false, false]);
  const chosen = viewOf(
    merged,
    { accounts: new Map([['ci', 'robot']]), clusters: new Map([['dev', 'lab']]) },
    true,
  );
  expect(nameable(chosen.users)).toEqual([true, false, true, false]);
  expect(nameable(chosen.contexts)).toEqual([true, false, true, false]);
});
