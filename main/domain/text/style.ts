/**
 * Bold and colours in text for a person. A style is a mark: one of Unicode's noncharacters, which text from outside
 * never holds where it is shown (`visibleText` escapes them). The helper makes terminal sequences of the marks where
 * the stream is a terminal and the person wants colours, else it leaves them out; it knows the same table
 * (native-helper/helper/src/style.rs). So text can be put together here without a thought of who reads it.
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

/** The whole range that is kept for marks: what an older helper doesn't know it leaves out. */
const anyMark = /[\ufdd0-\ufdef]/g;

/** `styled.red(text)` and so on, for text that goes to the CLI door's stdout or stderr, or into a question there. */
export const styled: Readonly<Record<Style, (text: string) => string>> = {
  bold: (text) => style('bold', text),
  dim: (text) => style('dim', text),
  red: (text) => style('red', text),
  green: (text) => style('green', text),
  yellow: (text) => style('yellow', text),
  cyan: (text) => style('cyan', text),
};

/** The text without marks, for who can't take them. */
export function withoutStyle(text: string): string {
  return text.replace(anyMark, '');
}

/** How many columns of a terminal the text takes: marks and combining characters none, East Asian ones and emoji two. */
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
