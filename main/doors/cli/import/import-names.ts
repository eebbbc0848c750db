import { configName } from '../../../contract/config/names.ts';
import type { ChosenNames } from '../../../domain/import/chosen-names.ts';
import type { ImportPlan } from '../../../domain/import/import-plan.ts';
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
  return new Map(
    given.map((text): [string, string] => {
      // The kubeconfig's names may have one, too.
      const at = text.lastIndexOf('=');
      const name = text.slice(at + 1);
      const [issue] = configName.safeParse(name).error?.issues ?? [];
      if (at < 1 || issue) {
        const what = at < 1 ? 'there is no =' : `${visibleText(name, 200)}: ${issue?.message}`;
        throw usageError('kubeconfig import', `${option}: ${what}`);
      }
      return [text.slice(0, at), name];
    }),
  );
}

/** Throws a usage error where something gets another name than the one that was chosen. */
export function checkNames({ accounts, clusters }: ChosenNames, plan: ImportPlan): void {
  for (const [context, name] of clusters) {
    const becomes = plan.clusters.find((each) => each.context === context)?.becomes;
    check('context', context, name, becomes && 'cluster' in becomes ? becomes.cluster : null);
  }
  for (const [user, name] of accounts) {
    const becomes = plan.users.find((each) => each.user === user)?.becomes;
    check('user', user, name, becomes && 'account' in becomes ? becomes.account : null);
  }
}

function check(what: 'context' | 'user', of: string, name: string, became: string | null): void {
  if (became !== name) {
    const why =
      became === null
        ? `no ${what} ${visibleText(of, 200)} is imported`
        : `the ${what} ${visibleText(of, 200)} can’t get the name ${name}: it is ${became}`;
    throw usageError('kubeconfig import', why);
  }
}
