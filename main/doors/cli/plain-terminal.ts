import { withoutStyle } from '../../domain/text/style.ts';
import type { DoorAnswer } from '../../ports/door.ts';
import type { Terminal } from '../../ports/terminal.ts';

/** The terminal of a helper that knows no styles: each text goes to it without them. */
export function plainTerminal(terminal: Terminal): Terminal {
  return {
    styles: false,
    canPrompt: terminal.canPrompt,
    stdoutIsTerminal: terminal.stdoutIsTerminal ?? false,
    columns: terminal.columns ?? null,
    print: (text) => terminal.print(withoutStyle(text)),
    writeStdout: (text) => terminal.writeStdout(withoutStyle(text)),
    ask: (question, options) => terminal.ask(withoutStyle(question), options),
    readStdin: (maxBytes) => terminal.readStdin(maxBytes),
    environment: (names) => terminal.environment(names),
    runner: terminal.runner,
    canLend: terminal.canLend,
    extend: (seconds) => terminal.extend(seconds),
  };
}

export function plainAnswer(answer: DoorAnswer): DoorAnswer {
  return {
    ...answer,
    ...(answer.stdout !== undefined && { stdout: withoutStyle(answer.stdout) }),
    ...(answer.stderr !== undefined && { stderr: withoutStyle(answer.stderr) }),
  };
}
