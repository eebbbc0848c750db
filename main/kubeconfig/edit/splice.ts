import { EditFault } from './fault.ts';

/** Replaces the text from `start` up to `end` by `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
  /** Of two at one place the lower goes first: a user's own new lines (0), a user after it (1), a new key (2). */
  rank: number;
}

/** In the order of the text. Throws EditFault where two want the same place. */
export function orderEdits(edits: readonly Edit[]): Edit[] {
  const ordered = edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.rank - b.edit.rank || a.index - b.index)
    .map(({ edit }) => edit);
  for (const [index, edit] of ordered.entries()) {
    if (edit.start < (ordered[index - 1]?.end ?? 0)) {
      throw new EditFault('two changes want the same place');
    }
  }
  return ordered;
}

export function applyEdits(text: string, ordered: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: added } of ordered) {
    parts.push(text.slice(at, start), added);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
