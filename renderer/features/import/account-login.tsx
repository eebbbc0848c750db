import { useState } from 'react';
import type { CallProgress } from '../../../main/contract/ui/calls/index.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './import.module.css';

/** The login that an imported account needs, right here. */
export function AccountLogin({ account, primary }: { account: string; primary: boolean }) {
  const login = useAction('account.login');
  const [shown, setShown] = useState<CallProgress<'account.login'> | null>(null);
  return (
    <div className={styles.question}>
      <div className={styles.row}>
        <span className={styles.grow}>
          <strong>{account}</strong>
        </span>
        <Button
          kind={primary ? 'primary' : 'plain'}
          busy={login.busy}
          onClick={() => void login.run({ account, flow: null }, { onProgress: setShown })}
        >
          Log in
        </Button>
        {login.busy && (
          <Button kind="quiet" onClick={login.cancel}>
            Cancel
          </Button>
        )}
      </div>
      {login.busy && (
        <p className={styles.muted} role="status">
          {shown === null && 'Asking the provider'}
          {shown?.shows === 'browserPage' &&
            (shown.opened
              ? 'The provider’s page is open in your browser: log in there.'
              : `Open this page: ${shown.url}`)}
          {shown?.shows === 'deviceCode' &&
            `Open ${shown.verificationUri} and give the code ${shown.userCode}.`}
        </p>
      )}
      {login.failure && <Failure failure={login.failure} />}
    </div>
  );
}
