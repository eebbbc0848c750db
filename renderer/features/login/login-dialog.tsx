import { useEffect, useRef, useState } from 'react';
import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction, useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import { BrowserStep } from './browser-step.tsx';
import { DeviceStep } from './device-step.tsx';
import styles from './login.module.css';
import { failureMeaning, isSomebodyElse } from './login-text.ts';
import { PinStep } from './pin-step.tsx';
import { type Flow, type LoginStep, useLoginCall } from './use-login-call.ts';
import { useMainFocus } from './use-main-focus.ts';

export interface LoginDialogProps {
  account: string;
  onClose(): void;
  /** The account is logged in. */
  onDone(): void;
}

/** Logs one account in, at once. Closing it earlier leaves the login. */
export function LoginDialog({ account, onClose, onDone }: LoginDialogProps) {
  const toast = useToast();
  const view = useBroker((state) => state.sections.accounts[account] ?? null);
  const details = useCall('account.show', { account });
  const logout = useAction('account.logout');
  const [flow, setFlow] = useState<Flow | null>(null);
  const done = ({ displayName, note }: CallOutput<'account.login'>) => {
    toast.show(`Logged in to ${account} as ${displayName}.`, note ?? undefined);
    onDone();
  };
  const { step, start } = useLoginCall(account, done);
  useEffect(() => start(null), [start]);
  // Not at a button: Enter, pressed once too often, would end the login that it began.
  const body = useRef<HTMLDivElement>(null);
  const begin = (next: Flow | null) => {
    setFlow(next);
    start(next);
  };
  const wished = details.value?.oidc?.flow ?? 'auto';
  const isToken = view?.kind === 'pkcs11';
  const canChoose = !isToken && (wished === 'auto' || wished === 'browser' || wished === 'device');

  const footer = () => {
    switch (step.kind) {
      case 'asking':
      case 'waiting':
        return (
          <>
            {step.kind === 'waiting' && canChoose && (
              <Button
                kind="quiet"
                calls
                onClick={() => begin(step.shown.shows === 'browserPage' ? 'device' : 'browser')}
              >
                {step.shown.shows === 'browserPage' ? 'Use a device code' : 'Use this computer’s browser'}
              </Button>
            )}
            <Button onClick={onClose}>Cancel</Button>
          </>
        );
      case 'failed':
        return (
          <>
            <Button onClick={onClose}>Close</Button>
            {isSomebodyElse(step.failure) ? (
              <Button
                kind="danger"
                busy={logout.busy}
                onClick={async () => {
                  if (await logout.run({ account, everywhere: false })) {
                    begin(flow);
                  }
                }}
              >
                Log out {view?.subject ?? 'who is logged in'}
              </Button>
            ) : (
              <Again onClick={() => begin(flow)} />
            )}
          </>
        );
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Log in to ${account}`}
      size="small"
      initialFocus={body}
      footer={footer()}
    >
      <div ref={body} tabIndex={-1} className={styles.body}>
        {step.kind === 'asking' && (
          <p className={styles.asking} role="status">
            {isToken ? 'Asking the token…' : 'Asking the provider…'}
          </p>
        )}
        {step.kind === 'waiting' && <Waiting shown={step.shown} endsAt={step.endsAt} />}
        {step.kind === 'failed' && (
          <>
            <Failure failure={step.failure} />
            {failureMeaning(step.failure) && <p className={styles.muted}>{failureMeaning(step.failure)}</p>}
            {logout.failure && <Failure failure={logout.failure} />}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Again({ onClick }: { onClick(): void }) {
  const focused = useMainFocus<HTMLButtonElement>();
  return (
    <Button ref={focused} kind="primary" calls onClick={onClick}>
      Try again
    </Button>
  );
}

function Waiting({ shown, endsAt }: Omit<Extract<LoginStep, { kind: 'waiting' }>, 'kind'>) {
  switch (shown.shows) {
    case 'browserPage':
      return <BrowserStep page={shown} endsAt={endsAt} />;
    case 'deviceCode':
      return <DeviceStep code={shown} endsAt={endsAt} />;
    case 'pin':
      return <PinStep pin={shown} endsAt={endsAt} />;
  }
}
