import { styleMarks, visibleWidth, withoutStyle } from './style.ts';

/**
 * The text in at most `width` columns: its middle is left out, since names differ at their ends. Of an ARN, a name of
 * gcloud’s or a URL, what all of them have goes first. A style around it stays.
 */
export function shortened(text: string, width: number): string {
  if (visibleWidth(text) <= width) {
    return text;
  }
  const plain = withoutStyle(text);
  const forms = shorterForms(plain);
  const short = forms.find((form) => visibleWidth(form) <= width) ?? cut(forms.at(-1) ?? plain, width);
  const mark = /^[\ufdd0-\ufdef]/.exec(text)?.[0];
  return mark === undefined ? short : `${mark}${short}${styleMarks.reset}`;
}

/** Other forms of a name that people know by its parts, longer ones first. */
function shorterForms(name: string): string[] {
  const [, region, resource] = /^arn:[\w-]+:\w+:([\w-]*):\d*:\w+\/(.+)$/.exec(name) ?? [];
  if (resource !== undefined) {
    return [`…${region}…/${resource}`, `…/${resource}`];
  }
  const [, place, cluster] = /^gke_[a-z0-9:.-]+_([a-z0-9-]+)_([a-z0-9-]+)$/.exec(name) ?? [];
  if (place !== undefined) {
    return [`gke_…_${place}_${cluster}`, `gke_…_${cluster}`];
  }
  return name.startsWith('https://') ? [name.slice('https://'.length)] : [];
}

/** More of the end than of the front: there is what tells names apart. */
function cut(text: string, width: number): string {
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
  const room = Math.max(0, width - 1);
  const front = Math.floor(room * 0.4);
  return `${fitting(letters, front)}…${fitting(letters.toReversed(), room - front, (all) => all.toReversed())}`;
}

function fitting(
  letters: readonly string[],
  room: number,
  order: (all: string[]) => string[] = (all) => all,
): string {
  const taken: string[] = [];
  let left = room;
  for (const letter of letters) {
    left -= visibleWidth(letter);
    if (left < 0) {
      break;
    }
    taken.push(letter);
  }
  return order(taken).join('');
}
