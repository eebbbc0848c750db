import type { LoginPrompter } from '../ports/account.ts';
import type { Terminal } from '../ports/terminal.ts';

/** Shows a device code as lines on the terminal of whoever asked for the login. */
export function terminalPrompter(
  account: string,
  terminal: Pick<Terminal, 'print' | 'extend'>,
): LoginPrompter {
  return {
    showBrowserPage(page) {
      terminal.extend(Math.min(3600, page.expiresInSeconds + 30));
      const how = page.opened ? 'in the browser that has just opened; if none has, open' : 'open';
      terminal.print(`Log in to ${account}: ${how}\n  ${page.url}\nWaiting for you there.\n`);
    },
    showDeviceCode(code) {
      const minutes = Math.max(1, Math.round(code.expiresInSeconds / 60));
      const direct =
        code.verificationUriComplete === null ? '' : `  or open directly:  ${code.verificationUriComplete}\n`;
      terminal.extend(Math.min(3600, code.expiresInSeconds + 30));
      terminal.print(
        `Log in to ${account}:\n  open               ${code.verificationUri}\n  and enter the code ${code.userCode}\n${direct}Waiting for you there; the code is good for ${minutes} min.\n`,
      );
    },
  };
}
