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
          A login to {account} is under way: it began {agoText(view.login.startedAt, now)}, perhaps at a
          terminal.
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
  device: 'Join it to see its code here.',
  browser: 'Join it to see its address here, and when it is done.',
  pin: 'Join it to type the PIN in a window of Lanyard’s, and to see when it is done.',
} as const;

function asksForPin(account: string, windows: BrokerView['windows']): string {
  return windows === 'none'
    ? `Lanyard can open no window here. Type the PIN at a terminal: lanyard login ${account}`
    : 'You type the PIN in a window of Lanyard’s that opens, or at the token’s own pad. If the token needs none, nothing is asked.';
}

function happens(wished: Flow, host: string, canOpen: boolean): string {
  switch (wished) {
    case 'device':
      return `You get a short code here, and type it at ${host} on any device.`;
    case 'clientCredentials':
      return `Lanyard asks ${host} for a token with the client’s own secret. You don’t have to do anything.`;
    case 'serviceAccountToken':
      return 'There is nothing to log in to: each request of a kubelet has the token that is exchanged.';
    default:
      return canOpen
        ? `A page of ${host} opens in your browser. Log in there; this closes itself when you are done.`
        : `Lanyard finds no browser on its machine: you get what it takes to log in at ${host} here.`;
  }
}

function gains(view: AccountView | null): string {
  const served = view ? [...view.clusters, ...view.registries] : [];
  const named = served.slice(0, 3).join(', ') + (served.length > 3 ? ` and ${served.length - 3} more` : '');
  const never =
    view?.kind === 'pkcs11' ? 'This page never sees the PIN.' : 'Lanyard never sees your password.';
  return served.length === 0
    ? never
    : `${view?.state === 'ready' ? 'It serves' : 'After that you can use'} ${named}. ${never}`;
}
