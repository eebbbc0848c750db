import type { OnTerminal } from './pty.ts';
import { until } from './stage.ts';

/**
 * Answers each question with yes until the program ends; `answers`: with these where the question has those words. How
 * kubectl finds clusters is answered with neither.
 */
export async function agree(terminal: OnTerminal, answers: Record<string, string> = {}) {
  let answered = 0;
  const question = /([^\n]*) \[y\/N\] |([^\n]*) \[yes\/No\] |Type [^\n]* or Enter for neither: /g;
  let ended: { code: number | null } | null = null;
  void terminal.ended.then((done) => {
    ended = done;
  });
  await until(() => {
    const asked = [...terminal.shown().matchAll(question)];
    for (const match of asked.slice(answered)) {
      answered++;
      const text = match[0];
      const special = Object.keys(answers).find((word) => text.includes(word));
      const usual = text.startsWith('Type ') ? '' : 'yes';
      terminal.send(`${special === undefined ? usual : answers[special]}\r`);
    }
    return ended;
  }, 'its end');
  return { ...(await terminal.ended), shown: terminal.shown() };
}
