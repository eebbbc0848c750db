import { refusalError } from '../../../contract/broker-error.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import type { Logins } from '../../../grants/logins.ts';
import { type LogOutDeps, loggedOutText, logOut } from '../../../operations/log-out.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import type { Browser } from '../../../ports/browser.ts';
import type { UiHandlers } from '../handlers.ts';
import { createPinPrompts, type PinPromptsDeps } from './pin-prompts.ts';

export interface LoginCallsDeps extends LogOutDeps, PinPromptsDeps {
  directory: LogOutDeps['directory'] & Pick<Directory, 'account'>;
  logins: LogOutDeps['logins'] & Pick<Logins, 'login' | 'running'>;
  gate: Gate;
  browser: Browser;
}

export function createLoginCalls(deps: LoginCallsDeps): Pick<UiHandlers, 'account.login' | 'account.logout'> {
  const askPin = createPinPrompts(deps);
  return {
    'account.login': async ({ account: name, flow }, { signal, progress }) => {
      throwRefusal(deps.gate());
      const found = deps.directory.account(name);
      if (!found.ok) {
        throw refusalError(found);
      }
      const unasked = new AbortController();
      const outcome = await deps.logins.login(found.account, {
        prompter: {
          // A page never gets the redirect from the provider.
          showBrowserPage: ({ url, opened, trouble, expiresInSeconds }) =>
            progress({ shows: 'browserPage', url, opened, trouble, expiresInSeconds }),
          showDeviceCode: (code) => progress({ shows: 'deviceCode', ...code }),
          // Where no window can be opened, this page doesn’t wait any more: a terminal may still be asked.
          askPin: (asked) => void askPin(name, asked).then(progress, (error) => unasked.abort(error)),
        },
        wish: { flow, atThisMachine: true },
        signal: AbortSignal.any([signal, unasked.signal]),
      });
      if (!outcome.ok) {
        throw refusalError(outcome);
      }
      const { displayName, issuer, note } = outcome;
      return { displayName, issuer, note };
    },
    'account.logout': async ({ account: name, everywhere }) => {
      throwRefusal(deps.gate());
      const outcome = await logOut(name, deps);
      if (!outcome.ok) {
        throw refusalError(outcome);
      }
      const { endSessionUrl, browser } = outcome;
      const opened =
        everywhere &&
        endSessionUrl !== null &&
        deps.browser.available() &&
        (await deps.browser.open(endSessionUrl, browser));
      const more = opened
        ? ' The provider’s page that ends its own session was opened in the browser.'
        : everywhere
          ? ' The provider names no page that ends its own session: end it there yourself.'
          : '';
      return { message: `${loggedOutText(name, outcome)}${more}` };
    },
  };
}

function throwRefusal(refusal: Refusal | null): void {
  if (refusal) {
    throw refusalError(refusal);
  }
}
