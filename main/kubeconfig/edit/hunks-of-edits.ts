import type { Hunk } from './change.ts';
import { maskedLines } from './masked-lines.ts';
import type { Source } from './source.ts';
import type { Edit } from './splice.ts';

/** A run of lines that edits have changed; from 0, the end not in it. */
export interface Span {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** The hunks of edits that were made in `before` in this order. */
export function hunksOfEdits(before: Source, after: Source, ordered: readonly Edit[]): Hunk[] {
  const [old, now] = [lines(before.text), lines(after.text)];
  const spans = spansOf(before.text, ordered).map((span) => trimmed(span, old, now));
  const shown = {
    old: maskedLines(before.text, before.document),
    now: maskedLines(after.text, after.document),
  };
  return spans.filter(isChange).map((span) => hunkOf(span, shown.old, shown.now));
}

export function hunkOf(span: Span, old: readonly string[], now: readonly string[]): Hunk {
  return {
    oldLine: span.oldStart + 1,
    newLine: span.newStart + 1,
    removed: old.slice(span.oldStart, span.oldEnd),
    added: now.slice(span.newStart, span.newEnd),
  };
}

/** A line with its end: a line break that comes or goes is a change. */
export function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function isChange({ oldStart, oldEnd, newStart, newEnd }: Span): boolean {
  return oldEnd > oldStart || newEnd > newStart;
}

function spansOf(text: string, ordered: readonly Edit[]): Span[] {
  const spans: Span[] = [];
  let at = 0;
  let line = 0;
  let shift = 0;
  for (const edit of ordered) {
    line += breaks(text.slice(at, edit.start));
    const oldStart = line;
    const gone = breaks(text.slice(edit.start, edit.end));
    line += gone;
    at = edit.end;
    const come = breaks(edit.text);
    const last = spans.at(-1);
    if (last && last.oldEnd >= oldStart) {
      last.newEnd += line + 1 - last.oldEnd + come - gone;
      last.oldEnd = line + 1;
    } else {
      spans.push({
        oldStart,
        oldEnd: line + 1,
        newStart: oldStart + shift,
        newEnd: oldStart + shift + come + 1,
      });
    }
    shift += come - gone;
  }
  return spans;
}

function breaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}

/** Without the lines that are the same at its beginning and its end. */
function trimmed(span: Span, old: readonly string[], now: readonly string[]): Span {
  let { oldStart, oldEnd, newStart, newEnd } = span;
  while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === now[newStart]) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldEnd > oldStart && newEnd > newStart && old[oldEnd - 1] === now[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}
