import type { OnTerminal } from './pty.ts';

export type Dialog = readonly (readonly [question: string | RegExp, answer: string])[];

/** A person at a terminal waits for each question and types the answer. Gives the exit code, and what was shown. */
export async function talk(terminal: OnTerminal, ...dialog: Dialog) {
  try {
    for (const [question, answer] of dialog) {
      await terminal.waitForText(question);
      terminal.send(`${answer}\r`);
    }
    const { code } = await terminal.ended;
    return { code, shown: terminal.shown() };
  } finally {
    await terminal.dispose();
  }
}
