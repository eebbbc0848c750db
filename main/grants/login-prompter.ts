import { visibleText } from '../domain/visible-text.ts';
import type { LoginPrompter } from '../ports/account.ts';
import type { Terminal } from '../ports/terminal.ts';

/** Shows the login page's address or a device code as lines on the terminal of whoever asked for the login. */
export function terminalPrompter(
  account: string,
  terminal: Pick<Terminal, 'print' | 'extend'>,
): LoginPrompter {
  /** The helper waits as long as the login does, and a little for what comes after it. */
  const extend = (seconds: number) => terminal.extend(Math.min(3600, seconds + 60));
  return {
    showBrowserPage({ url, opened, failed, expiresInSeconds }) {
      extend(expiresInSeconds);
      const how = opened
        ? `the page has been opened in your browser; if you don’t see it, open`
        : `${failed === null ? '' : `${visibleText(failed)} could not be started; `}open in a browser on this machine`;
      terminal.print(
        `Log in to ${account}: ${how}\n  ${url}\nWaiting for you there, for ${minutes(expiresInSeconds)} min.\n`,
      );
    },
    showDeviceCode(code) {
      const direct =
        code.verificationUriComplete === null ? '' : `  or open directly:  ${code.verificationUriComplete}\n`;
      extend(code.expiresInSeconds);
      terminal.print(
        `Log in to ${account}:\n  open               ${code.verificationUri}\n  and enter the code ${code.userCode}\n${direct}Waiting for you there; the code is good for ${minutes(code.expiresInSeconds)} min.\n`,
      );
    },
  };
}

function minutes(seconds: number): number {
  return Math.max(1, Math.round(seconds / 60));
}
