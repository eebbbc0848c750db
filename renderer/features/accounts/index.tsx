import { AccountList } from './account-list.tsx';
import { AccountPage } from './account-page.tsx';

/** The accounts, or one of them. */
export function View({ name }: { name: string | null }) {
  return name === null ? <AccountList /> : <AccountPage key={name} name={name} />;
}
