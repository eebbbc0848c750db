import type { BrowserWindowConstructorOptions } from 'electron';
import type { WindowContent } from '../../main/consent/windows/window-kind.ts';
import { webPreferences } from '../hardening/web-preferences.ts';

/** Only in memory: no page shares it, and it ends with the app. */
export const dialogPartition = 'lanyard-dialogs';

const width = 580;
const [leastHeight, mostHeight] = [280, 720];
const charactersOfLine = 70;

/**
 * A window that shows one page of text with a form, and can do nothing else. It stays on top, so that no page covers
 * it. It can't be made smaller than its minimum.
 */
export function dialogOptions(content: WindowContent): BrowserWindowConstructorOptions {
  return {
    title: 'Lanyard',
    width,
    height: heightOf(content),
    minWidth: 420,
    minHeight: leastHeight,
    useContentSize: true,
    center: true,
    show: false,
    alwaysOnTop: true,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    // The click that brings it to the front must not answer it.
    acceptFirstMouse: false,
    autoHideMenuBar: true,
    webPreferences: {
      // No developer tools, in any build.
      ...webPreferences({ partition: dialogPartition, isPackaged: true }),
      javascript: false,
      disableDialogs: true,
    },
  };
}

/** About the height that the page needs, in CSS pixels. The user scrolls to the rest. */
function heightOf({
  heading,
  text,
  rows = [],
  changes = [],
  fields = [],
  danger,
  more,
}: WindowContent): number {
  const lines = (length: number) => Math.ceil(Math.max(1, length) / charactersOfLine);
  const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
  const height =
    190 +
    26 * lines(heading.length * 1.5) +
    sum(text.map((each) => 12 + 21 * lines(each.length))) +
    (rows.length === 0 ? 0 : 40 + sum(rows.map(([, value]) => 24 * lines(value.length * 1.4)))) +
    sum(changes.map((each) => 74 + 21 * each.lines.length)) +
    (danger === undefined ? 0 : 50) +
    sum(fields.map(({ kind, hint }) => (kind === 'lines' ? 210 : 82) + (hint === undefined ? 0 : 21))) +
    (more ? 62 + 42 * linesOfButtons(more) : 0);
  return Math.min(mostHeight, Math.max(leastHeight, height));
}

/** How many rows the buttons need. Each button adds some characters of padding to its label. */
function linesOfButtons({ answers }: NonNullable<WindowContent['more']>): number {
  const characters = answers.reduce((all, { label }) => all + label.length + 4, 0);
  return Math.ceil(characters / (charactersOfLine + 4));
}
