import type { Refusal } from '../../contract/refusal.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Account } from '../../ports/account.ts';
import type { Check } from '../check.ts';

/** One account: whether it is confirmed, and all that its kind can tell of itself. */
export function accountCheck(
  name: string,
  of: {
    /** The doors are shut: what is confirmed can't be told, and what is held can't be had. */
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
      // A provider that nobody has confirmed is not even asked.
      const known = of.account(name);
      if (!known.ok) {
        return [found.warning(known.message, known.hint ?? null)];
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
