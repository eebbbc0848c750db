import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import type { AccountView, BrokerView } from '../../../main/contract/ui/state.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { agoText, useNow } from '../../ui/time/index.ts';
import styles from './login.module.css';
import { hostOf } from './safe-address.ts';

type Flow = NonNullable<AccountDetails['oidc']>['flow'];

/** Explains the login before it starts. */
export function ReadyStep({
  account,
  view,
  wished,
}: {
  account: string;
  view: AccountView | null;
  wished: Flow;
}) {
  const now = useNow(1000);
  const broker = useBroker((state) => state.sections.broker['']);
  const host = view?.issuer ? hostOf(view.issuer) : 'the provider';
  if (view?.login) {
    return (
      <>
        <p>
          Another login to {account} is in progress. It started {agoText(view.login.startedAt, now)}, perhaps
          in a terminal.
        </p>
        <p className={styles.muted}>{joins[view.login.flow ?? 'browser']}</p>
      </>
    );
  }
  return (
    <>
      <p>
        {view?.kind === 'pkcs11'
          ? asksForPin(account, broker?.windows ?? 'browser')
          : happens(wished, host, broker?.canOpenBrowser ?? true)}
      </p>
      <p className={styles.muted}>{gains(view)}</p>
    </>
  );
}

const joins = {
  device: 'Continue it to see the code.',
  browser: 'Continue it to see its link.',
  pin: 'Continue it to type the PIN in a Lanyard window.',
} as const;

function asksForPin(account: string, windows: BrokerView['windows']): string {
  return windows === 'none'
    ? `Lanyard can open no window here. Type the PIN at a terminal: lanyard login ${account}`
    : 'You type the PIN in a Lanyard window, or on the token’s own PIN pad. If the token needs none, nothing is asked.';
}

function happens(wished: Flow, host: string, canOpen: boolean): string {
  switch (wished) {
    case 'device':
      return `You get a short code here. Enter it at ${host} on any device.`;
    case 'clientCredentials':
      return `Lanyard logs in at ${host} with the client secret. You don’t have to do anything.`;
    case 'serviceAccountToken':
      return 'There is nothing to log in to: each request of a kubelet has the token that is exchanged.';
    default:
      return canOpen
        ? `Your browser opens ${host}. Log in there; this dialog closes when you’re done.`
        : `No browser on this machine. You get a link or a code for ${host}.`;
  }
}

function gains(view: AccountView | null): string {
  const served = view ? [...view.clusters, ...view.registries] : [];
  const named = served.slice(0, 3).join(', ') + (served.length > 3 ? ` and ${served.length - 3} more` : '');
  const never =
    view?.kind === 'pkcs11' ? 'This page never sees the PIN.' : 'Lanyard never sees your password.';
  return served.length === 0
    ? never
    : `${view?.state === 'ready' ? 'It is used for' : 'After that you can use'} ${named}. ${never}`;
}
