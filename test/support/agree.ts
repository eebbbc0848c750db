import { setTimeout as delay } from 'node:timers/promises';
import type { OnTerminal } from './pty.ts';

/** Milliseconds, after which the program hangs; a test’s own limit is longer. */
const hang = 100_000;

/**
 * Answers each question with yes until the program ends; `answers`: with these where the question has those words. How
 * kubectl finds clusters is answered with neither.
 */
export async function agree(terminal: OnTerminal, answers: Record<string, string> = {}) {
  let answered = 0;
  const question = /([^\n]*) \[y\/N\] |([^\n]*) \[yes\/No\] |Type [^\n]* or Enter for neither: /g;
  const limit = performance.now() + hang;
  for (;;) {
    const ended = await Promise.race([terminal.ended, delay(20, null)]);
    if (ended) {
      return { ...ended, shown: terminal.shown() };
    }
    if (performance.now() > limit) {
      throw new Error(`it doesn’t end: ${terminal.shown()}`);
    }
    const asked = [...terminal.shown().matchAll(question)];
    for (const match of asked.slice(answered)) {
      answered++;
      const text = match[0];
      const special = Object.keys(answers).find((word) => text.includes(word));
      const usual = text.startsWith('Type ') ? '' : 'yes';
      terminal.send(`${special === undefined ? usual : answers[special]}\r`);
    }
  }
}
