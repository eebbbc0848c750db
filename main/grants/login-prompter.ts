import type { Secret } from '../base/secret.ts';
import { spanText } from '../contract/ui/time-texts.ts';
import { triesText } from '../contract/ui/token-words.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { LoginPrompter } from '../ports/account.ts';
import type { Terminal } from '../ports/terminal.ts';

/** How long someone may take to type a PIN. */
const pinSeconds = 120;

/**
 * Shows the login page's address or a device code as lines on the requester's terminal. `paste`: where no browser was
 * opened here, asks for the last address of a browser elsewhere.
 */
export function terminalPrompter(
  account: string,
  terminal: Pick<Terminal, 'print' | 'extend' | 'ask'>,
  { paste = false }: { paste?: boolean } = {},
): LoginPrompter {
  /** The helper waits as long as the login does, and a little for what follows. */
  const extend = (seconds: number) => terminal.extend(Math.min(3600, seconds + 60));
  return {
    showBrowserPage({ url, opened, failed, trouble, expiresInSeconds, bring, over }) {
      extend(expiresInSeconds);
      const note = trouble === null ? '' : `note: ${visibleText(trouble, 1000)}\n`;
      if (paste && !opened) {
        const notStarted = failed === null ? '' : `${visibleText(failed)} could not be started. `;
        terminal.print(
          `Log in to ${account}: ${notStarted}Open this address in a browser on any machine:\n  ${url}\nIf that browser then can’t connect to this machine, copy the address of its last page.\n${note}`,
        );
        void askForAddress(terminal, bring, over);
        return;
      }
      const how = opened
        ? `the page has been opened in your browser; if you don’t see it, open`
        : `${failed === null ? '' : `${visibleText(failed)} could not be started; `}open in a browser on this machine`;
      terminal.print(
        `Log in to ${account}: ${how}\n  ${url}\n${note}Waiting for you there, for ${spanText(expiresInSeconds * 1000)}.\n`,
      );
    },
    showDeviceCode(code) {
      const direct =
        code.verificationUriComplete === null ? '' : `  or open directly:  ${code.verificationUriComplete}\n`;
      extend(code.expiresInSeconds);
      terminal.print(
        `Log in to ${account}:\n  open               ${code.verificationUri}\n  and enter the code ${code.userCode}\n${direct}Waiting for you there; the code is good for ${spanText(code.expiresInSeconds * 1000)}.\n`,
      );
    },
    askPin({ token, tries, atPad, take, over }) {
      extend(pinSeconds);
      const left = triesText(tries);
      const note = left === null ? '' : `note: ${left}\n`;
      if (atPad) {
        terminal.print(`Log in to ${account}: type the PIN of the token ${token} at its own pad.\n${note}`);
        return;
      }
      terminal.print(note);
      void terminal
        .ask(`PIN of the token ${token} (not shown): `, { signal: over })
        .then(take, () => take(null));
    },
  };
}

/** Until the address was given, or is no longer needed. Not shown: it contains an answer of the provider. */
async function askForAddress(
  terminal: Pick<Terminal, 'print' | 'ask'>,
  bring: (address: Secret) => boolean,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    const address = await terminal.ask('Paste the address here (not shown): ', { signal: over });
    if (address === null || over.aborted || bring(address)) {
      return;
    }
    terminal.print('That is not the address that this login ends at. Copy all of it, from the last page.\n');
  }
}
