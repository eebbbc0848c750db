import type { Refusal } from '../../contract/refusal.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Account } from '../../ports/account.ts';
import { type Check, isPending } from '../check.ts';

/** Checks one account: whether it is approved, and what its kind can tell of itself. */
export function accountCheck(
  name: string,
  of: {
    /** Why the doors issue nothing now: approvals and credentials can’t be read then. */
    gate(): Refusal | null;
    account(name: string): { ok: true; account: Account } | Refusal;
  },
): Check {
  return {
    group: 'accounts',
    name: 'account',
    subject: name,
    run: async (signal) => {
      const found = observe('account');
      const shut = of.gate();
      if (shut) {
        return [found.note(`not looked at: ${shut.message}`, shut.hint ?? null)];
      }
      // No request goes to a provider that isn’t approved.
      const known = of.account(name);
      if (!known.ok) {
        return isPending(known) ? [] : [found.warning(known.message, known.hint ?? null)];
      }
      const { account } = known;
      if (account.examine) {
        return account.examine(signal);
      }
      const { state, problem } = await account.state();
      return [state === 'ready' ? found.ok('ready') : found.problem(problem ?? `it is ${state}`)];
    },
  };
}
