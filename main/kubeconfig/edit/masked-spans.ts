import { openAddress, openComment, type Shown } from './shown.ts';
import type { Source } from './source.ts';
import { type Written, writtenValues } from './written-values.ts';

const mask = '[hidden]';

/** Lines from `start` up to `end`, from 0. */
interface Lines {
  start: number;
  end: number;
}

/**
 * Lines of a YAML text as people may see them, without their ends, for each of `spans`, which are in the order of the
 * text. A line more or less there is none; a hidden value of several lines is hidden in each.
 */
export function maskedSpans(source: Source, spans: readonly Lines[]): string[][] {
  const { text } = source;
  const wanted = spans.map(({ start, end }) => [text.startOf(start), text.startOf(end)] as const);
  const written = writtenValues(source, (start, end) => {
    const first = firstIndex(wanted, ([, stop]) => stop > start);
    return first < wanted.length && (wanted[first]?.[0] ?? 0) < end;
  });
  return spans.map(({ start, end }, index) => {
    if (end <= start) {
      return [];
    }
    const [from, to] = wanted[index] ?? [0, 0];
    const first = firstIndex(written, (each) => each.end > from);
    const after = firstIndex(written, (each) => each.start >= to);
    const inside = written.slice(first, after);
    // A value of several lines may begin before the first of these lines and end after the last.
    const begin = Math.min(from, inside[0]?.start ?? from);
    const stop = Math.max(to, inside.at(-1)?.end ?? to);
    const lines = maskedText(source, inside, begin, stop).split(/\r?\n/);
    const skipped = text.lineAt(from) - text.lineAt(begin);
    return lines.slice(skipped, skipped + end - start);
  });
}

/** The first index from which on `holds`, which is false up to there and true after it; the length where none is. */
function firstIndex<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as Item)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

function maskedText({ text, document }: Source, written: readonly Written[], begin: number, stop: number) {
  const { whole } = text;
  const parts: string[] = [];
  let at = begin;
  for (const { start, end, shown } of written) {
    parts.push(between(whole.slice(at, start)), shownText(whole.slice(start, end), shown));
    at = end;
  }
  // More documents may follow the first one, and are ignored.
  const end = Math.min(stop, Math.max(at, document.range?.[2] ?? whole.length));
  parts.push(between(whole.slice(at, end)), hidden(whole.slice(end, stop)));
  return parts.join('');
}

function shownText(text: string, shown: Shown): string {
  switch (shown) {
    case 'whole':
      return text;
    case 'short':
      return text.length <= 16 || text.includes('\n')
        ? hidden(text)
        : `${text.slice(0, 12)}… (${text.length} characters)`;
    case 'address':
      return openAddress(text);
    case 'hidden':
      return hidden(text);
  }
}

function hidden(text: string): string {
  return text
    .split(/(\r?\n)/)
    .map((line) => line.replace(/\S.*$/, mask))
    .join('');
}

/** The text between keys and values: signs, anchors, tags, comments. Other words don’t belong there. */
function between(text: string): string {
  return text
    .split(/((?<=^|\s)#.*)/)
    .map((part, index) =>
      index % 2 === 1 ? openComment(part) : part.replace(/(?<![&!%\w])[\w+/=.]{4,}/g, mask),
    )
    .join('');
}
