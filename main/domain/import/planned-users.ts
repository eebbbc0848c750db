import type { ProgramsOf } from '../program/program.ts';
import { shellWord } from '../text/shell-line.ts';
import { visibleText } from '../text/visible-text.ts';
import { asksWhoItIs, type NamedAccount } from './account-names.ts';
import { describeUser } from './classify-user.ts';
import type { AccountEntry, PlannedUser } from './import-plan.ts';
import type { KubeUser, MergedKubeconfig } from './kubeconfig.ts';
import type { MadeAccount } from './made-account.ts';
import { plainSecretsOf } from './plain-secrets.ts';
import { numberedNotes, takenNotes } from './plan-notes.ts';
import { plannedProgram } from './planned-program.ts';

/** A user's account, or why it stays unchanged. */
export type AccountOf = { made: Extract<MadeAccount, { ok: true }>; named: NamedAccount } | { left: string };

/**
 * The users of `accounts` in their order; `imported` are the contexts that become clusters, `chosen` the names that the
 * user wants, by user.
 */
export function plannedUsers(
  merged: MergedKubeconfig,
  accounts: ReadonlyMap<string, AccountOf>,
  imported: ReadonlySet<string>,
  programOf: ProgramsOf,
  chosen: ReadonlyMap<string, string>,
): PlannedUser[] {
  const neededBy = new Map<string, string[]>();
  for (const { name, user } of merged.contexts.values()) {
    if (!imported.has(name)) {
      const names = neededBy.get(user);
      names ? names.push(name) : neededBy.set(user, [name]);
    }
  }
  return [...accounts].flatMap(([name, account]) => {
    const user = merged.users.get(name);
    return user ? [plannedUser(user, account, neededBy.get(name) ?? [], programOf, chosen.get(name))] : [];
  });
}

function plannedUser(
  user: KubeUser,
  account: AccountOf,
  neededBy: readonly string[],
  programOf: ProgramsOf,
  wanted: string | undefined,
): PlannedUser {
  const plainNow = plainSecretsOf(user);
  const common = {
    user: user.name,
    file: user.origin.file,
    line: user.origin.line,
    nameInFile: user.origin.name,
    ...describeUser(user),
    plainNow,
    neededBy,
  };
  if ('left' in account) {
    return { ...common, becomes: account, plainAfterInPlace: plainNow, notes: [] };
  }
  const { made, named } = account;
  const notes = [...made.notes, ...numberedNotes(user.name, user.origin)];
  const canSplit = named.joins || (named.sharedWith !== null && asksWhoItIs(made));
  const split = canSplit
    ? `. If it is another person: --account-name ${shellWord(user.name)}=NAME, or Change name in the window`
    : '';
  if (named.besides !== null) {
    const by = Object.keys(made.apart ?? {}).join(' and ');
    const apart =
      by === ''
        ? 'its login stays apart'
        : `${by} ${by.includes(' and ') ? 'keep' : 'keeps'} its login apart`;
    notes.push(`${apart} from that of ${visibleText(named.besides, 200)}: an account of its own`);
  }
  if (named.joins) {
    notes.push(`it shares the account ${named.account}, which is there already${split}`);
  } else if (named.sharedWith !== null) {
    notes.push(
      `the same as ${visibleText(named.sharedWith, 200)}: they share the account ${named.account}${split}`,
    );
  } else if (named.passed !== null) {
    notes.push(
      `its account is ${named.account}: the vault still has the login or secrets of an earlier account ${named.passed} (to remove them: lanyard account remove ${named.passed})`,
    );
  } else if (named.account !== user.origin.name && named.account !== user.name) {
    notes.push(
      ...takenNotes(wanted, named.account, named),
      `its account is ${named.account}: the user is ${visibleText(user.origin.name, 200)}`,
    );
  }
  return {
    ...common,
    becomes: {
      account: named.account,
      exists: named.exists,
      replaces: named.replaces,
      sharedWith: named.sharedWith,
      canSplit,
      apart: named.apart,
      value: entryOf(account),
      program: plannedProgram(made.value, programOf),
      secrets: made.secrets,
      needsLogin: made.needsLogin,
      next: made.needsLogin && !named.exists ? `lanyard login ${named.account}` : null,
    },
    // A secret in a separate file stays there; the entry is removed, unless another context needs it.
    plainAfterInPlace: neededBy.length > 0 ? plainNow : plainNow.filter(({ line }) => line === null),
    notes,
  };
}

/** The account's entry; where it replaces another, with the settings that the user made there. */
export function entryOf({ made, named }: Exclude<AccountOf, { left: string }>): AccountEntry {
  return 'execPlugin' in made.value
    ? { execPlugin: { ...made.value.execPlugin, ...named.kept } }
    : made.value;
}
