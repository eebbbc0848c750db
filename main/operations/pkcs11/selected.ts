import type { KeyReport, SlotReport, TokenReport } from './token-report.ts';

/** What an account means of the slots of its module, as far as it is to be seen without a login. */
export type Selected =
  | { state: 'one'; token: TokenReport; key: KeyReport }
  | { state: 'noToken' }
  | { state: 'severalTokens'; tokens: TokenReport[] }
  /** The token shows its keys after a login. */
  | { state: 'hidden'; token: TokenReport }
  | { state: 'noKey'; token: TokenReport }
  | { state: 'severalKeys'; token: TokenReport; keys: KeyReport[] };

/** One token, and of that one key, as lanyard-keys wants it (native-helper/keys/src/select.rs). */
export function selectedBy(account: string, slots: readonly SlotReport[]): Selected {
  const tokens = slots.flatMap(({ token }) => (token?.accounts.includes(account) ? [token] : []));
  const [token] = tokens;
  if (token === undefined) {
    return { state: 'noToken' };
  }
  if (tokens.length > 1) {
    return { state: 'severalTokens', tokens };
  }
  const keys = usableKeys(account, token);
  const [key] = keys;
  if (key === undefined) {
    return { state: token.keys.length === 0 && token.pin !== 'none' ? 'hidden' : 'noKey', token };
  }
  return keys.length > 1 ? { state: 'severalKeys', token, keys } : { state: 'one', token, key };
}

/** The keys of a token that an account means and can use. */
export function usableKeys(account: string, token: TokenReport): KeyReport[] {
  return token.keys.filter(({ accounts, problem }) => accounts.includes(account) && problem === null);
}

/** As a sentence’s words; null: there is nothing to say. */
export function selectedText({ state }: Selected): string | null {
  switch (state) {
    case 'one':
      return null;
    case 'noToken':
      return 'its token isn’t there';
    case 'severalTokens':
      return 'several tokens fit: name one by its label or serial number';
    case 'hidden':
      return 'its token shows its keys after a login';
    case 'noKey':
      return 'its token shows no key that fits';
    case 'severalKeys':
      return 'several keys fit: name one by its label or id';
  }
}
