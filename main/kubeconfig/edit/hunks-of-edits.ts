import type { Hunk } from './change.ts';
import { maskedSpans } from './masked-spans.ts';
import type { Source } from './source.ts';
import type { SourceText } from './source-text.ts';
import type { Edit } from './splice.ts';

/** A run of lines that differ; from 0, the end not in it. */
export interface Span {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** The hunks of edits that were made in `before` in this order. */
export function hunksOfEdits(before: Source, after: Source, ordered: readonly Edit[]): Hunk[] {
  const spans = spansOf(before.text, ordered)
    .map((span) => trimmed(span, before.text, after.text))
    .filter(isChange);
  return maskedHunks(spans, before, after);
}

/** Hunks with what may be shown of their lines. */
export function maskedHunks(spans: readonly Span[], before: Source, after: Source): Hunk[] {
  const removed = maskedSpans(
    before,
    spans.map(({ oldStart, oldEnd }) => ({ start: oldStart, end: oldEnd })),
  );
  const added = maskedSpans(
    after,
    spans.map(({ newStart, newEnd }) => ({ start: newStart, end: newEnd })),
  );
  return spans.map((span, index) => ({
    oldLine: span.oldStart + 1,
    newLine: span.newStart + 1,
    removed: removed[index] ?? [],
    added: added[index] ?? [],
  }));
}

function isChange({ oldStart, oldEnd, newStart, newEnd }: Span): boolean {
  return oldEnd > oldStart || newEnd > newStart;
}

function spansOf(text: SourceText, ordered: readonly Edit[]): Span[] {
  const spans: Span[] = [];
  let shift = 0;
  for (const edit of ordered) {
    const oldStart = text.lineAt(edit.start) - 1;
    const oldEnd = text.lineAt(edit.end);
    const gone = oldEnd - 1 - oldStart;
    const come = breaks(edit.text);
    const last = spans.at(-1);
    if (last && last.oldEnd >= oldStart) {
      last.newEnd += oldEnd - last.oldEnd + come - gone;
      last.oldEnd = oldEnd;
    } else {
      const newStart = oldStart + shift;
      spans.push({ oldStart, oldEnd, newStart, newEnd: newStart + come + 1 });
    }
    shift += come - gone;
  }
  return spans;
}

function breaks(text: string): number {
  return text.split('\n').length - 1;
}

/** Without the lines that are the same at its beginning and its end. */
function trimmed(span: Span, old: SourceText, now: SourceText): Span {
  let { oldStart, oldEnd, newStart, newEnd } = span;
  while (oldStart < oldEnd && newStart < newEnd && old.line(oldStart) === now.line(newStart)) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldEnd > oldStart && newEnd > newStart && old.line(oldEnd - 1) === now.line(newEnd - 1)) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}
