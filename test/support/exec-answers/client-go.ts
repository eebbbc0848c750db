import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { PrintedAnswer } from './seeds.ts';

/** What client-go makes of an answer (test/support/go/exec-answers). */
export interface ClientGoAnswer {
  ok: boolean;
  error?: string;
  token?: string;
  unsendable?: boolean;
  /** DER, base64. */
  chain?: string[];
  /** Milliseconds since 1970. */
  end?: number;
}

/** Has client-go read them all, in one process. */
export async function askClientGo(
  program: string,
  answers: readonly PrintedAnswer[],
): Promise<ClientGoAnswer[]> {
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const told = text(child.stdout);
  const lines = answers.map(({ apiVersion, stdout }) =>
    JSON.stringify({ apiVersion, stdout: stdout.toString('base64') }),
  );
  child.stdin.end(`${lines.join('\n')}\n`);
  return (await told)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
