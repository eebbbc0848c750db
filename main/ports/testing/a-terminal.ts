import type { Terminal } from '../terminal.ts';

/** A client’s terminal on which nobody can be asked. */
export function aTerminal(more: Partial<Terminal> = {}): Terminal {
  return {
    canPrompt: false,
    print: () => undefined,
    writeStdout: () => true,
    ask: async () => null,
    environment: async () => null,
    readStdin: async () => null,
    runner: null,
    canLend: false,
    extend: () => undefined,
    ...more,
  };
}
