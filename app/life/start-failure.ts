import type { MessageBoxOptions } from 'electron';
import { toRefusal } from '../../main/contract/broker-error.ts';
import { type ExitCode, exitCodes } from '../../main/contract/exit-codes.ts';
import { sentence } from '../../main/contract/ui/sentence.ts';
import type { Log } from '../../main/ports/log.ts';
import type { ElectronModule } from '../electron.ts';

/** The text for the user about a failed start, and the process's exit code. */
export function startFailure(error: unknown): { box: MessageBoxOptions; code: ExitCode } {
  const { reason, ...said } = toRefusal(error);
  const { message, hint } = reason === 'internal' ? insideStory(error, said) : said;
  const what = sentence(message);
  return {
    box: {
      type: 'error',
      message: 'Lanyard can’t start',
      detail: hint === undefined ? what : `${what}\n\nTry: ${hint}`,
      buttons: ['Quit'],
      noLink: true,
    },
    code: exitCodes[reason],
  };
}

/**
 * The user who clicked an icon sees no log. Shows only those parts of a system error that can't contain a file's
 * content.
 */
function insideStory(error: unknown, said: { message: string }): { message: string; hint: string } {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  const why = [code, path].filter((each) => typeof each === 'string').join(', ');
  return {
    message: why === '' ? said.message : `${said.message}: ${why}`,
    hint: 'started from a terminal, it says more',
  };
}

/**
 * Reports a failed start with a dialog and a line in the log. Resolves with the exit code after the user closed the
 * dialog.
 */
export async function sayStartFailed(
  error: unknown,
  { dialog, log }: { dialog: ElectronModule['dialog']; log: Log },
): Promise<ExitCode> {
  log.error('app.failed', { error });
  const { box, code } = startFailure(error);
  // If no dialog can be shown, the log and the exit code report it.
  await dialog.showMessageBox(box).catch(() => undefined);
  return code;
}
