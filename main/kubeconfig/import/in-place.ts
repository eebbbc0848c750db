import type { ImportPlan, PlannedCluster } from '../../domain/import/import-plan.ts';
import type { MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import type { KubeconfigChange } from '../edit/change.ts';

/** The exec entry for a cluster of Lanyard's and its account. */
export type ExecFor = (account: string, cluster: string) => object;

type Imported = PlannedCluster & { becomes: Extract<PlannedCluster['becomes'], { cluster: string }> };

/**
 * The changes of each file, by its path, for an import in place. A user that nothing but one cluster uses keeps its
 * entry; one of several clusters keeps it for the first, and gets an entry beside it for each of the others, for the
 * helper is always told the cluster. A user that a context left out still needs keeps its entry as it is.
 */
export function changesInPlace(
  plan: ImportPlan,
  merged: MergedKubeconfig,
  execFor: ExecFor,
): Map<string, KubeconfigChange[]> {
  const changes = new Map<string, KubeconfigChange[]>();
  const add = (file: string, change: KubeconfigChange) => {
    const list = changes.get(file);
    if (list) {
      list.push(change);
    } else {
      changes.set(file, [change]);
    }
  };
  const taken = new Set([...merged.users.values()].flatMap(({ name, origin }) => [name, origin.name]));
  const neededBy = new Map(plan.users.map((each) => [each.user, each.neededBy]));
  for (const [userName, imported] of Map.groupBy(plan.clusters.filter(isImported), ({ user }) => user)) {
    const user = merged.users.get(userName);
    if (!user) {
      continue;
    }
    const { file, name: ownName } = user.origin;
    let isEntryFree = neededBy.get(userName)?.length === 0;
    for (const alike of ofOneServer(imported)) {
      const [first] = alike;
      if (!first) {
        continue;
      }
      const exec = execFor(first.becomes.account, first.becomes.cluster);
      let name = ownName;
      if (isEntryFree) {
        isEntryFree = false;
        add(file, { kind: 'setUserExec', user: ownName, exec });
      } else {
        name = freeName(`${ownName}@${first.nameInFile}`, taken);
        add(file, { kind: 'addUser', user: name, exec, after: ownName });
      }
      for (const each of name === ownName ? [] : alike) {
        add(each.file, { kind: 'setContextUser', context: each.nameInFile, user: name });
      }
    }
  }
  return changes;
}

function isImported(planned: PlannedCluster): planned is Imported {
  return 'cluster' in planned.becomes;
}

/** Contexts of one cluster of Lanyard’s share an entry. */
function ofOneServer(imported: readonly Imported[]): Iterable<Imported[]> {
  return Map.groupBy(imported, ({ cluster, becomes }) =>
    JSON.stringify([cluster, becomes.account, becomes.cluster]),
  ).values();
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) {
    name = `${wanted}-${number}`;
  }
  taken.add(name);
  return name;
}
