import { BrokerError } from '../../../contract/broker-error.ts';
import { sentence } from '../../../contract/ui/sentence.ts';
import { triesText } from '../../../contract/ui/token-words.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { LoggedIn } from '../../../ports/account.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import type { PinQuestion } from '../../../ports/pin-question.ts';
import type { Submitted, WindowKind } from '../window-kind.ts';
import { usersText } from './users-text.ts';

export interface PinWindowDeps {
  config: Pick<ConfigStore, 'current'>;
  logins: {
    /** The login under way; null: none. */
    running(account: string): Promise<LoggedIn> | null;
  };
}

/**
 * Takes a token’s PIN for the login of `account` that asks for it, once: no page sees it (rule: approval-outside-page, page-without-secrets). Throws
 * BrokerError where the account isn’t one with a token.
 */
export function pinWindow(
  { config, logins }: PinWindowDeps,
  account: string,
  asked: PinQuestion,
): WindowKind {
  const { accounts } = config.current();
  const { account: holder, token, tries } = asked;
  const loaded = accounts.get(holder);
  if (!loaded) {
    throw unknownName('account', holder, accounts.keys());
  }
  if (!('pkcs11' in loaded.config)) {
    throw new BrokerError('account.kind', `account ${holder} has no token`);
  }
  const said = triesText(tries);
  return {
    title: 'Enter PIN',
    content: {
      heading: `The PIN of ${token === '' ? 'the token' : token}`,
      text: [
        ...(said === null || tries === 'final' ? [] : [sentence(said)]),
        'The token gets it once. If it is right, Lanyard keeps it in memory until it is locked, or you log out.',
      ],
      rows: [
        ['account', holder === account ? account : `${holder}, to log in to ${account}`],
        ['token', token],
        ['module', visibleText(loaded.config.pkcs11.module)],
        ['used for', usersText(holder, config.current())],
      ],
      ...(said !== null && tries === 'final' && { danger: sentence(said) }),
      fields: [{ name: 'pin', label: 'PIN', kind: 'password', autocomplete: 'new-password' }],
      enter: 'yes',
      yes: 'Log in',
      no: 'Cancel',
    },
    over: async () => (asked.over.aborted ? 'The login has ended.' : null),
    async submit({ pin }) {
      if (!pin || pin.isEmpty) {
        return { kind: 'again', fault: 'No PIN was given.' };
      }
      const login = logins.running(account);
      asked.take(pin);
      return login === null ? notGiven : outcomeOf(account, await login.catch(orCancelled));
    },
    async refuse() {
      asked.take(null);
      return notGiven;
    },
    left: () => asked.take(null),
  };
}

const notGiven: Submitted = {
  kind: 'done',
  good: false,
  heading: 'Not logged in',
  text: ['The token got no PIN.'],
};

/** Whoever asked for the login has left it: null. */
function orCancelled(error: unknown): null {
  if (error instanceof BrokerError) {
    throw error;
  }
  return null;
}

function outcomeOf(account: string, outcome: LoggedIn | null): Submitted {
  if (outcome === null) {
    return { kind: 'done', good: false, heading: 'Not logged in', text: ['The login was cancelled.'] };
  }
  if (outcome.ok) {
    const text = [`${account}: ${outcome.displayName}.`, 'You can continue where you left off.'];
    return { kind: 'done', good: true, heading: 'Logged in', text };
  }
  const { message, hint } = outcome;
  const text = [sentence(message), ...(hint === undefined ? [] : [sentence(hint)])];
  return { kind: 'done', good: false, heading: 'Not logged in', text };
}
