import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { goModule } from '../go.ts';
import type { Answer, Question } from './questions.ts';

/** What the library answered: kept here, so that Lanyard is compared with it where no Go is. */
export interface Reference {
  /** Its version, as in go.mod. */
  library: string;
  /** By the row’s name. */
  rows: Readonly<Record<string, Answer>>;
  /** By the kind of question: the digest of all comparable answers. */
  fuzz: Readonly<Record<string, string>>;
}

/** A line for the version and the fuzz, and one for each row. */
const file = join(import.meta.dirname, 'reference.jsonl');

export function readReference(): Reference {
  const [first = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return { ...JSON.parse(first), rows: Object.fromEntries(lines.map((line) => JSON.parse(line))) };
}

export function writeReference({ rows, ...others }: Reference): void {
  const lines = [others, ...Object.entries(rows)].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(file, lines.join(''));
}

export function libraryVersion(): string {
  const goMod = readFileSync(join(goModule, 'go.mod'), 'utf8');
  return /sigs\.k8s\.io\/cluster-inventory-api (v\S+)/.exec(goMod)?.[1] ?? '';
}

/** Asks it all, in one process. */
export async function askLibrary(program: string, questions: readonly Question[]): Promise<Answer[]> {
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const told = text(child.stdout);
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  return (await told)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}
