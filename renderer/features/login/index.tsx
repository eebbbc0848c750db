import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useBroker } from '../../stores/use-broker.tsx';
import { useOutOfReach } from '../../ui/out-of-reach.ts';
import { part } from '../../ui/part.tsx';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type Login, LoginContext } from './use-login.ts';

export { useLogin } from './use-login.ts';

/** Loaded on first use, with its QR code. */
const LoginDialog = part(async () => (await import('./login-dialog.tsx')).LoginDialog);
const LogoutDialog = part(async () => (await import('./logout-dialog.tsx')).LogoutDialog);

interface Wanted {
  what: 'login' | 'logout';
  account: string;
  /** The accounts whose logins follow. */
  next: readonly string[];
  /** Increased for each opening, so that each gets a new dialog. */
  turn: number;
}

/** Renders the dialogs of logins and logouts for all views. */
export function LoginProvider({ children }: { children: ReactNode }) {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const toast = useToast();
  const why = useOutOfReach();
  const outOfReach = useRef(why);
  outOfReach.current = why;
  const login = useMemo<Login>(() => {
    const want = (what: Wanted['what'], account: string, next: readonly string[] = []) =>
      // Of a key: the buttons are disabled.
      outOfReach.current !== null
        ? toast.fail({ message: outOfReach.current })
        : setWanted((before) => ({ what, account, next, turn: (before?.turn ?? 0) + 1 }));
    return {
      open: (account, ...next) => want('login', account, next),
      openLogout: (account) => want('logout', account),
    };
  }, [toast]);
  const close = () => setWanted(null);
  const goOn = () => {
    const [first, ...next] = wanted?.next ?? [];
    if (first === undefined) {
      close();
    } else {
      login.open(first, ...next);
    }
  };
  // Closes the dialog when the vault is locked: it can't do anything then, and covers the button that unlocks.
  const isShut = useBroker((state) => (state.sections.lock['']?.kind ?? 'open') !== 'open');
  useEffect(() => {
    if (isShut) {
      setWanted(null);
    }
  }, [isShut]);
  return (
    <LoginContext value={login}>
      {children}
      <PartBoundary key={wanted?.turn ?? 0} onFailed={close}>
        {wanted?.what === 'login' && !isShut && (
          <LoginDialog key={wanted.turn} account={wanted.account} onClose={close} onDone={goOn} />
        )}
        {wanted?.what === 'logout' && !isShut && (
          <LogoutDialog key={wanted.turn} account={wanted.account} onClose={close} />
        )}
      </PartBoundary>
    </LoginContext>
  );
}
