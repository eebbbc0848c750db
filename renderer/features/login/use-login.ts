import { createContext, useContext } from 'react';

/** Opens the dialogs of logins and logouts from any view. */
export interface Login {
  /** Starts it, or takes part in one that is under way; once it is done, the next one. Cancel ends them all. */
  open(account: string, ...next: string[]): void;
  openLogout(account: string): void;
}

export const LoginContext = createContext<Login | null>(null);

export function useLogin(): Login {
  const login = useContext(LoginContext);
  if (!login) {
    throw new Error('no LoginProvider above');
  }
  return login;
}
