import { counted } from '../../../main/contract/ui/count-text.ts';
import { remedyOf } from '../../../main/contract/ui/health-words.ts';
import type { ValueCount } from '../../../main/contract/ui/profile-query.ts';
import type { InventoryView } from '../../../main/contract/ui/state.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Button } from '../../ui/button.tsx';
import { useLogin } from '../login/use-login.ts';
import styles from './inventories.module.css';

export interface LoginLinesProps {
  inventories: readonly InventoryView[];
  /** Of the profiles that match. */
  matching: readonly ValueCount[];
}

/** Accounts that need a login, and for how many clusters: one login is for all of them. */
export function LoginLines({ inventories, matching }: LoginLinesProps) {
  const accounts = useBroker((state) => state.sections.accounts);
  const login = useLogin();
  const inUse = new Map<string, number>();
  for (const { account, inUse: count } of inventories.flatMap((each) => each.accounts)) {
    inUse.set(account, (inUse.get(account) ?? 0) + count);
  }
  const names = new Set([...inUse.keys(), ...matching.map(({ value }) => value)]);
  const lines = [...names]
    .flatMap((name) => {
      const view = Object.hasOwn(accounts, name) ? accounts[name] : undefined;
      const remedy = view ? remedyOf(view, 'idle') : null;
      return remedy === 'logIn' || remedy === 'setSecret'
        ? [{ name, remedy, inUse: inUse.get(name) ?? 0 }]
        : [];
    })
    .sort((a, b) => b.inUse - a.inUse);
  if (lines.length === 0) {
    return null;
  }
  return (
    <ul className={styles.logins} aria-label="Accounts that need you">
      {lines.map(({ name, remedy, inUse: used }, index) => (
        <li key={name}>
          <span>
            <a href={hrefOf('accounts', name)}>{name}</a>{' '}
            {remedy === 'logIn' ? 'needs a login' : 'needs a new secret'}:{' '}
            {used > 0
              ? `${counted(used, 'cluster')} in use`
              : `for ${counted(matching.find(({ value }) => value === name)?.count ?? 0, 'profile')}`}
            .
          </span>
          {remedy === 'logIn' && (
            <Button
              size="small"
              kind={index === 0 && used > 0 ? 'primary' : 'plain'}
              calls
              onClick={() => login.open(name)}
            >
              Log in
              <span className="unseen"> to {name}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
