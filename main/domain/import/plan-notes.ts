import type { ConfiguredKind } from '../../contract/config/config.ts';
import { visibleText } from '../text/visible-text.ts';
import type { ChosenNames } from './chosen-names.ts';
import type { NamedCluster } from './cluster-names.ts';
import type { ImportPlan } from './import-plan.ts';
import type { AccountOf } from './planned-users.ts';
import { listed } from './question-words.ts';

/** Where a new entry gets another name than the one that was chosen. */
export function takenNotes(
  chosen: ChosenNames,
  accounts: ReadonlyMap<string, AccountOf>,
  clusters: ReadonlyMap<string, NamedCluster>,
): string[] {
  const taken = (what: ConfiguredKind, of: string, name: string, became: string | undefined) =>
    became === undefined || became === name
      ? []
      : [`the name ${name} can’t be given to the ${what} of ${visibleText(of, 200)}: it is ${became}`];
  return [
    ...[...chosen.clusters].flatMap(([context, name]) =>
      taken('cluster', context, name, clusters.get(context)?.cluster),
    ),
    ...[...chosen.accounts].flatMap(([user, name]) => {
      const of = accounts.get(user);
      return taken('account', user, name, of && 'named' in of ? of.named.account : undefined);
    }),
  ];
}

/** Which accounts ask for a refresh token by the user’s wish, or could. */
export function offlineAccessNote({ accounts, added }: NonNullable<ImportPlan['offlineAccess']>): string {
  const names = listed(accounts);
  return added
    ? `asked for a refresh token (offline_access): ${names}`
    : `asked for no refresh token, so each needs a login whenever its token expires: ${names}; --offline-access adds the scope offline_access`;
}
