import { importedName } from '../../../contract/config/names.ts';
import type { ChosenNames } from '../../../domain/import/chosen-names.ts';
import type { ImportPlan, PlannedCluster, PlannedUser } from '../../../domain/import/import-plan.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { usageError } from '../command.ts';

/** The options' values: `CONTEXT=NAME`, `USER=NAME`. */
export interface GivenNames {
  'cluster-name'?: readonly string[] | undefined;
  'account-name'?: readonly string[] | undefined;
}

/** Throws a usage error where one is no name of config.yaml. */
export function readNames(given: GivenNames): ChosenNames {
  return {
    clusters: read('--cluster-name CONTEXT=NAME', given['cluster-name']),
    accounts: read('--account-name USER=NAME', given['account-name']),
  };
}

function read(option: string, given: readonly string[] = []): Map<string, string> {
  const names = new Map<string, string>();
  for (const text of given) {
    // The kubeconfig's names may have one, too.
    const at = text.lastIndexOf('=');
    const [of, name] = [text.slice(0, at), text.slice(at + 1)];
    const [issue] = importedName.safeParse(name).error?.issues ?? [];
    if (at < 1 || issue || names.has(of)) {
      const why =
        at < 1
          ? 'there is no ='
          : issue
            ? `${visibleText(name, 200)}: ${issue.message}`
            : `${visibleText(of, 200)} has a name already`;
      throw usageError('kubeconfig import', `${option}: ${why}`);
    }
    names.set(of, name);
  }
  return names;
}

/**
 * Throws a usage error where something gets another name than the one that was chosen. What runs Lanyard already was
 * imported before: the same command again is right.
 */
export function checkNames({ accounts, clusters }: ChosenNames, plan: ImportPlan): void {
  const own = new Set(plan.users.filter(({ kind }) => kind === 'lanyard').map(({ user }) => user));
  for (const [context, name] of clusters) {
    const planned = plan.clusters.find((each) => each.context === context);
    if (planned === undefined || !own.has(planned.user)) {
      check('context', context, name, planned && cluster(planned.becomes));
    }
  }
  for (const [user, name] of accounts) {
    const planned = plan.users.find((each) => each.user === user);
    if (!own.has(user)) {
      check('user', user, name, planned && account(planned.becomes));
    }
  }
}

type Became = { name: string } | { left: string };

const cluster = (becomes: PlannedCluster['becomes']): Became =>
  'left' in becomes ? becomes : { name: becomes.cluster };
const account = (becomes: PlannedUser['becomes']): Became =>
  'left' in becomes ? becomes : { name: becomes.account };

function check(what: 'context' | 'user', of: string, name: string, became: Became | undefined): void {
  if (became !== undefined && 'name' in became && became.name === name) {
    return;
  }
  const shown = visibleText(of, 200);
  const why =
    became === undefined
      ? `no ${what} ${shown} is imported`
      : 'left' in became
        ? `the ${what} ${shown} is not imported: ${visibleText(became.left, 1000)}`
        : `the ${what} ${shown} can’t get the name ${name}, which is taken, or it is imported already: it is ${became.name}`;
  throw usageError('kubeconfig import', why);
}
