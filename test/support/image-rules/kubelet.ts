import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildGo } from '../go.ts';
import type { Answer, Question } from './questions.ts';

/** A separate module: its go.mod names all of Kubernetes. */
const module = join(import.meta.dirname, '..', 'kubelet');

/** The kubelet’s own code; 25 s where Go has not compiled it yet, a second where it has. */
export function buildKubelet(go: string): Promise<string> {
  return buildGo(go, 'credential-provider', { module });
}

/** Asks it all, in one process. */
export async function askKubelet(program: string, questions: readonly Question[]): Promise<Answer[]> {
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const told = text(child.stdout);
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  return (await told)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
