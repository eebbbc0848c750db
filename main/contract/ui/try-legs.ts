import type { ShownTry } from '../shown-try.ts';
import { tookText } from './time-texts.ts';

/** A part of the time that a tried request took; times in microseconds, from its beginning. */
export type TryLeg = { from: number; microseconds: number } & LegName;

type LegName =
  | { kind: 'credentials' | 'connection' | 'answer'; attempt: number }
  | { kind: 'step'; attempt: number; step: number }
  | { kind: 'rest'; hasAnswer: boolean };

/** In their order. What was there at once (kept credentials, a kept connection) has no leg. */
export function tryLegs({
  attempts,
  answer,
  connectedMicroseconds,
  totalMicroseconds,
}: Pick<ShownTry, 'attempts' | 'answer' | 'connectedMicroseconds' | 'totalMicroseconds'>): TryLeg[] {
  const legs: TryLeg[] = [];
  let from = 0;
  const add = (name: LegName, microseconds: number) => {
    if (microseconds > 0) {
      legs.push({ ...name, from, microseconds });
      from += microseconds;
    }
  };
  let connecting = connectedMicroseconds ?? 0;
  for (const [attempt, { chainMicroseconds, steps, answeredMicroseconds }] of attempts.entries()) {
    add({ kind: 'credentials', attempt }, chainMicroseconds);
    for (const [step, { microseconds }] of steps.entries()) {
      add({ kind: 'step', attempt, step }, microseconds);
    }
    if (answeredMicroseconds !== null) {
      // Until the answer includes the connection, where one had to be opened.
      const connected = Math.min(connecting, answeredMicroseconds);
      add({ kind: 'connection', attempt }, connected);
      add({ kind: 'answer', attempt }, answeredMicroseconds - connected);
      connecting = 0;
    }
  }
  add({ kind: 'rest', hasAnswer: answer !== null }, totalMicroseconds - from);
  return legs;
}

/** What the time went to, lower case; a step is named by its own words. */
export function legText(leg: TryLeg): string {
  switch (leg.kind) {
    case 'credentials':
      return 'getting credentials';
    case 'step':
      return 'the steps';
    case 'connection':
      return 'connecting';
    case 'answer':
      return 'waiting for the answer';
    case 'rest':
      return leg.hasAnswer ? 'reading the answer' : 'until it was given up';
  }
}

/** A short time, from microseconds: `38 µs`, `1.2 ms`. */
export function shortText(microseconds: number): string {
  return microseconds < 1000 ? `${Math.round(microseconds)} µs` : tookText(microseconds);
}

/** What became of a request that the cluster didn’t answer, without a full stop: it may never have been sent. */
export function unansweredText(attempts: ShownTry['attempts']): string {
  const sent = attempts.filter(({ headers }) => headers.length > 0);
  const last = sent.at(-1);
  return last === undefined
    ? 'Nothing was sent to the cluster'
    : last.status === null
      ? 'The cluster didn’t answer'
      : `The cluster answered ${last.status}, and nothing was sent after that`;
}

/** Why a request was sent again, as a sentence without its end. `before`: the status of the time before. */
export function againText(why: ShownTry['attempts'][number]['why'], before: number | null): string {
  const answered = before === null ? '' : `, as the answer was ${before}`;
  return why === 'clock'
    ? `Signed and sent again with the cluster’s time${answered}`
    : `Sent again with renewed credentials${answered}`;
}
