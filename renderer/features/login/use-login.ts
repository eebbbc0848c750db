import { createContext, useContext } from 'react';

/** Opens the dialogs of a login and of a logout, from any view. */
export interface Login {
  /** `atOnce`: the user knows what comes, so nothing is explained first. */
  open(account: string, how?: { atOnce?: boolean }): void;
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
