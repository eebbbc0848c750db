import type { HeaderChange, ShownAttempt, ShownStep, ShownTry } from '../../../contract/shown-try.ts';
import { byteText } from '../../../contract/ui/byte-text.ts';
import { counted } from '../../../contract/ui/count-text.ts';
import {
  againText,
  legText,
  shortText,
  type TryLeg,
  tryLegs,
  unansweredText,
} from '../../../contract/ui/try-legs.ts';
import { wordText } from '../../../domain/proxy/chain-words.ts';
import { styled } from '../../../domain/text/style.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { table } from '../table.ts';

/** In place of a secret’s value. */
const secret = '[secret]';
/** A value is shown up to here, in characters. */
const longestValue = 2000;

/** A tried request for the user’s terminal. `verbose`: what was signed, too, and each time that it was sent. */
export function triedText(shown: ShownTry, { verbose }: { verbose: boolean }): string {
  const { attempts, method, url } = shown;
  const last = attempts.length - 1;
  return [
    styled.bold(`${method} ${visibleText(url, longestValue)}`),
    ...attempts.map((attempt, at) =>
      attemptText(attempt, {
        again: at === 0 ? null : againText(attempt.why, attempts[at - 1]?.status ?? null),
        isWhole: at === last || verbose,
        verbose,
      }),
    ),
    ...answerText(shown),
    timeText(shown),
  ].join('\n\n');
}

function attemptText(
  { steps, headers, status }: ShownAttempt,
  { again, isWhole, verbose }: { again: string | null; isWhole: boolean; verbose: boolean },
): string {
  const head = again === null ? [] : [styled.yellow(again)];
  if (!isWhole) {
    return [
      ...head,
      `Sent with ${counted(steps.length, 'step')}: ${status === null ? 'no answer' : `answered ${status}`}`,
    ].join('\n');
  }
  return [
    ...head,
    ...(steps.length === 0 ? ['No step changes it.'] : steps.map((step, at) => stepText(step, at, verbose))),
    '',
    styled.bold('Sent'),
    ...headerLines(headers),
  ].join('\n');
}

function stepText(
  { does, changes, canonicalRequest, stringToSign, microseconds }: ShownStep,
  at: number,
  verbose: boolean,
): string {
  return [
    `${at + 1}. ${visibleText(wordText(does), 1024)}  ${styled.dim(shortText(microseconds))}`,
    ...(changes.length === 0 ? [styled.dim('     changes nothing')] : changes.map(changeText)),
    ...(verbose
      ? [...block('canonical request', canonicalRequest), ...block('string to sign', stringToSign)]
      : []),
  ].join('\n');
}

function changeText({ header, value, how }: HeaderChange): string {
  const name = visibleText(header, 128);
  return how === 'removed'
    ? `     ${styled.red('-')} ${name}`
    : `     ${styled.green('+')} ${name}: ${valueText(value)}${how === 'added' ? styled.dim('  (one more)') : ''}`;
}

function block(title: string, text: string | null): string[] {
  return text === null
    ? []
    : [
        styled.dim(`     ${title}:`),
        ...text.split('\n').map((line) => `     | ${visibleText(line, longestValue)}`),
      ];
}

function headerLines(headers: ShownAttempt['headers']): string[] {
  return headers.map(([name, value]) => `  ${visibleText(name, 128)}: ${valueText(value)}`);
}

function valueText(value: string | null): string {
  return value === null ? styled.dim(secret) : visibleText(value, longestValue);
}

function answerText({ answer, attempts, statusWords }: ShownTry): string[] {
  if (answer === null) {
    return [styled.red(`${unansweredText(attempts)}.`)];
  }
  const words = `${answer.status} ${statusWords}`.trim();
  const coloured = answer.status < 400 ? styled.green(words) : styled.red(words);
  return [
    [
      `${styled.bold('Answered')} ${coloured}, ${byteText(answer.bytes)}`,
      ...headerLines(answer.headers),
      ...(answer.body === null ? [] : ['', ...bodyLines(answer.body)]),
    ].join('\n'),
  ];
}

function bodyLines(body: string): string[] {
  return body
    .trimEnd()
    .split('\n')
    .map((line) => `  ${visibleText(line, longestValue)}`);
}

function timeText(shown: ShownTry): string {
  const rows = sums(tryLegs(shown), shown.attempts.length > 1).map(([what, microseconds]) => [
    `  ${what}`,
    shortText(microseconds),
  ]);
  return [
    `${styled.bold('Took')} ${shortText(shown.totalMicroseconds)}`,
    ...(rows.length === 0 ? [] : [table(rows)]),
  ].join('\n');
}

/** The steps of one time are one line: each has its own above. */
function sums(legs: readonly TryLeg[], isNumbered: boolean): [string, number][] {
  const all = new Map<string, number>();
  for (const leg of legs) {
    const number = isNumbered && 'attempt' in leg ? ` (${leg.attempt + 1})` : '';
    const what = `${legText(leg)}${number}`;
    all.set(what, (all.get(what) ?? 0) + leg.microseconds);
  }
  return [...all];
}
