import type { AccountView } from '../../../main/contract/ui/state.ts';
import { someAccount } from '../../../test/support/ui-state.ts';

/** An account that is well, with what is said of it. */
export function accountNow(name: string, fields: Partial<AccountView> = {}): AccountView {
  return someAccount(name, { state: 'ready', subject: 'alice@example.com', ...fields });
}
