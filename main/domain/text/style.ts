/**
 * Bold and colours in text for the user. A style is a mark: one of Unicode's noncharacters, which displayed text from
 * outside never contains (`visibleText` escapes them). The helper turns marks into terminal sequences where the
 * stream is a terminal and the user wants colours, else it drops them; it has the same table
 * (native-helper/helper/src/style.rs). So code here can style text without knowing where it goes.
 */
export const styleMarks = {
  reset: '\ufdd0',
  bold: '\ufdd1',
  dim: '\ufdd2',
  red: '\ufdd3',
  green: '\ufdd4',
  yellow: '\ufdd5',
  cyan: '\ufdd6',
} as const;

type Style = Exclude<keyof typeof styleMarks, 'reset'>;

/** The complete range that is reserved for marks: an older helper drops those that it doesn't know. */
const anyMark = /[\ufdd0-\ufdef]/g;

/** `styled.red(text)` and so on, for text on the CLI door's stdout or stderr, or in a question there. */
export const styled: Readonly<Record<Style, (text: string) => string>> = {
  bold: (text) => style('bold', text),
  dim: (text) => style('dim', text),
  red: (text) => style('red', text),
  green: (text) => style('green', text),
  yellow: (text) => style('yellow', text),
  cyan: (text) => style('cyan', text),
};

/** The text without marks. */
export function withoutStyle(text: string): string {
  return text.replace(anyMark, '');
}

/** The text's width in terminal columns: marks and combining characters take none, East Asian ones and emoji two. */
export function visibleWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) {
    return text.length;
  }
  const shown = withoutStyle(text)
    .normalize('NFC')
    .replace(/[\p{M}\p{C}]/gu, '');
  const wide = shown.match(/[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{EPres}\uff01-\uff60]/gu);
  return [...shown].length + (wide?.length ?? 0);
}

/** A style inside another ends with its own text; the outer one goes on. */
function style(name: Style, text: string): string {
  const mark = styleMarks[name];
  const within = text.replaceAll(styleMarks.reset, styleMarks.reset + mark);
  return text === '' ? '' : `${mark}${within}${styleMarks.reset}`;
}
