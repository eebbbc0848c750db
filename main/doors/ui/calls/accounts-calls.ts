import type { Bindings } from '../../../access/bindings.ts';
import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import { draftValue } from '../../../operations/draft-account.ts';
import { editConfig } from '../../../operations/edit-config.ts';
import {
  accountUsers,
  planRemoval,
  type RemoveAccountDeps,
  removeAccount,
} from '../../../operations/remove-account.ts';
import type { SetEdit } from '../../../ports/config-store.ts';
import type { UiHandlers } from '../handlers.ts';
import { type ShowAccountDeps, showAccount } from './accounts/show.ts';
import { createDrafts, type DraftDeps } from './accounts/test-draft.ts';
import { pathsElsewhere } from './paths-elsewhere.ts';

export interface AccountsCallsDeps extends ShowAccountDeps, DraftDeps, RemoveAccountDeps {
  config: ShowAccountDeps['config'] & DraftDeps['config'] & RemoveAccountDeps['config'];
  vault: RemoveAccountDeps['vault'];
  bindings: ShowAccountDeps['bindings'] & RemoveAccountDeps['bindings'] & Pick<Bindings, 'pending'>;
}

type AccountCallNames =
  | 'account.show'
  | 'account.check'
  | 'account.test'
  | 'account.save'
  | 'account.removal'
  | 'account.remove'
  | 'account.restorable'
  | 'account.restore';

/** The most removed accounts that can be restored; the oldest is dropped. */
const restoreLimit = 20;

/**
 * Shows, changes and removes accounts for a page. What it sets is pending until the user approves it
 * (rule: confirmed-binding).
 */
export function createAccountsCalls(deps: AccountsCallsDeps): Pick<UiHandlers, AccountCallNames> {
  const drafts = createDrafts(deps);
  const removed = new Map<string, unknown>();

  const open = () => {
    const shut = deps.gate();
    if (shut) {
      throw refusalError(shut);
    }
  };
  const write = async (edit: SetEdit) => {
    await editConfig(edit, { kind: 'asking' }, deps);
    // A change that no secret depends on needs no approval (rule: confirmed-binding).
    return { held: deps.bindings.pending('account', edit.name) !== null };
  };
  const taken = (name: string) => {
    if (deps.config.current().accounts.has(name)) {
      throw new BrokerError('account.exists', `account ${name} already exists`, {
        reason: 'usage',
        hint: 'choose another name',
      });
    }
  };

  return {
    'account.show': ({ account }) => showAccount(account, deps),
    'account.check': (draft) => drafts.check(draft),
    'account.test': async (draft, context) => {
      open();
      return { findings: await drafts.test(draft, context) };
    },
    'account.save': async (draft) => {
      open();
      if (draft.isNew) {
        taken(draft.name);
      }
      const [elsewhere] = pathsElsewhere(draft.set);
      if (elsewhere) {
        // Pending changes are read, too, to be shown and checked.
        throw new BrokerError('account.path', elsewhere.message, { reason: 'usage' });
      }
      const value = await draftValue(draft, deps.config);
      return write({ kind: 'set', what: 'account', name: draft.name, value });
    },
    'account.removal': async ({ account: name }) => {
      open();
      const { sessions, secrets } = deps.vault.read();
      const subject = (await deps.directory.peekAccount(name)?.state())?.subject ?? null;
      return {
        session: Object.hasOwn(sessions, name) ? { subject: subject ?? 'somebody' } : null,
        secrets: Object.hasOwn(secrets, name) ? Object.keys(secrets[name] ?? {}) : [],
        users: accountUsers(name, deps.config),
      };
    },
    'account.remove': async ({ account: name }) => {
      open();
      planRemoval(name, deps);
      const value = await deps.config.entry('accounts', name);
      await removeAccount(name, deps);
      removed.delete(name);
      if (value !== null) {
        removed.set(name, value);
      }
      for (const oldest of [...removed.keys()].slice(0, Math.max(0, removed.size - restoreLimit))) {
        removed.delete(oldest);
      }
      return { canRestore: value !== null };
    },
    'account.restorable': async () => {
      const { accounts } = deps.config.current();
      return { accounts: [...removed.keys()].filter((name) => !accounts.has(name)).toReversed() };
    },
    'account.restore': async ({ account: name }) => {
      open();
      taken(name);
      if (!removed.has(name)) {
        throw new BrokerError('account.notRemembered', `how ${name} was is no longer known`, {
          reason: 'notFound',
          hint: 'add it anew',
        });
      }
      const held = await write({ kind: 'set', what: 'account', name, value: removed.get(name) });
      removed.delete(name);
      return held;
    },
  };
}
