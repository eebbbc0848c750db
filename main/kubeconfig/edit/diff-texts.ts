import { diffArrays } from 'diff';
import type { Hunk } from './change.ts';
import { EditFault } from './fault.ts';
import { maskedHunks, type Span } from './hunks-of-edits.ts';
import { parseSource, type Source } from './source.ts';
import { SourceText } from './source-text.ts';

/** More lines than these differing, the work would grow with their square; then only their number is told. */
const mostLines = 1_000;

/** No one reads more than this, and a line of megabytes says nothing. */
const mostCharacters = 1024 * 1024;

/**
 * Where two texts of one file (a kubeconfig, config.yaml) differ, for people: secrets are hidden, and in texts that
 * can't be read all is, but for the number of lines. Takes no longer than to read both, however much they differ.
 */
export function diffTexts(before: string, after: string): readonly Hunk[] {
  if (before === after) {
    return [];
  }
  const [old, now] = [new SourceText(before), new SourceText(after)];
  const around = trimmedSpan(old, now);
  const spans = sizeOf(around, old, now) <= mostCharacters ? spansIn(around, old, now) : null;
  const sources = spans && bothSources(before, after);
  return sources
    ? maskedHunks(spans, sources.before, sources.after)
    : (spans ?? [around]).map((span) => countsOf(span));
}

function countsOf({ oldStart, oldEnd, newStart, newEnd }: Span): Hunk {
  const omitted = { removed: oldEnd - oldStart, added: newEnd - newStart };
  return { oldLine: oldStart + 1, newLine: newStart + 1, removed: [], added: [], omitted };
}

function bothSources(before: string, after: string): { before: Source; after: Source } | null {
  try {
    return { before: parseSource(before), after: parseSource(after) };
  } catch (error) {
    if (error instanceof EditFault) {
      return null;
    }
    throw error;
  }
}

/** All lines but the first and last ones that are the same. */
function trimmedSpan(old: SourceText, now: SourceText): Span {
  const [oldCount, newCount] = [old.lineCount, now.lineCount];
  let head = 0;
  while (head < oldCount && head < newCount && old.line(head) === now.line(head)) {
    head += 1;
  }
  let tail = 0;
  const most = Math.min(oldCount, newCount) - head;
  while (tail < most && old.line(oldCount - 1 - tail) === now.line(newCount - 1 - tail)) {
    tail += 1;
  }
  return { oldStart: head, oldEnd: oldCount - tail, newStart: head, newEnd: newCount - tail };
}

function sizeOf({ oldStart, oldEnd, newStart, newEnd }: Span, old: SourceText, now: SourceText): number {
  return old.startOf(oldEnd) - old.startOf(oldStart) + now.startOf(newEnd) - now.startOf(newStart);
}

/** Null where too many lines differ. */
function spansIn(around: Span, old: SourceText, now: SourceText): Span[] | null {
  const lines = (text: SourceText, start: number, end: number) =>
    Array.from({ length: end - start }, (_, index) => text.line(start + index));
  const found = diffArrays(
    lines(old, around.oldStart, around.oldEnd),
    lines(now, around.newStart, around.newEnd),
    { maxEditLength: mostLines },
  );
  if (!found) {
    return null;
  }
  const spans: Span[] = [];
  let [oldAt, newAt] = [around.oldStart, around.newStart];
  let open: Span | null = null;
  for (const { added, removed, count } of found) {
    if (!added && !removed) {
      open = null;
      oldAt += count;
      newAt += count;
      continue;
    }
    if (!open) {
      open = { oldStart: oldAt, oldEnd: oldAt, newStart: newAt, newEnd: newAt };
      spans.push(open);
    }
    oldAt += removed ? count : 0;
    newAt += added ? count : 0;
    open.oldEnd = oldAt;
    open.newEnd = newAt;
  }
  return spans;
}
