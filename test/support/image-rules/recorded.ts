import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comparable } from './comparable.ts';
import type { Answer, Question } from './questions.ts';

/** What the kubelet answered: kept here, so that Lanyard is compared with it where no Go is. */
export interface Recorded {
  /** Its version, as in go.mod. */
  kubernetes: string;
  /** By the question's digest, as they are compared. */
  rows: Readonly<Record<string, unknown>>;
  /** By the kind of question: the digest of all answers. */
  fuzz: Readonly<Record<string, string>>;
}

/** A line for the versions and the fuzz, and one for each row. */
const file = join(import.meta.dirname, 'kubelet.jsonl');
const goMod = join(import.meta.dirname, '..', 'kubelet', 'go.mod');

export function readRecorded(): Recorded {
  const [first = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return { ...JSON.parse(first), rows: Object.fromEntries(lines.map((line) => JSON.parse(line))) };
}

export function writeRecorded({ rows, ...versions }: Recorded): void {
  const lines = [versions, ...Object.entries(rows)].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(file, lines.join(''));
}

export function kubernetesVersion(): string {
  return /k8s\.io\/kubernetes (v\S+)/.exec(readFileSync(goMod, 'utf8'))?.[1] ?? '';
}

export function recordedRows(questions: readonly Question[], answers: readonly Answer[]): Recorded['rows'] {
  return Object.fromEntries(
    questions.map((question, index) => [
      digest(JSON.stringify(question)).slice(0, 12),
      recordedAnswer(answers[index] as Answer),
    ]),
  );
}

export function recordedFuzz(answers: readonly Answer[]): string {
  return digest(JSON.stringify(answers.map(recordedAnswer)));
}

const mostOfText = 400;

/** Long texts as their digests. */
function recordedAnswer(answer: Answer): unknown {
  return JSON.parse(
    JSON.stringify(comparable(answer), (_, value: unknown) =>
      typeof value === 'string' && value.length > mostOfText
        ? `sha256:${digest(value)}`
        : value instanceof Object && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
          : value,
    ),
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
