import type { BrowserWindowConstructorOptions } from 'electron';
import type { WindowContent } from '../../main/consent/windows/window-kind.ts';
import { webPreferences } from '../hardening/web-preferences.ts';

/** In memory alone: no partition of the renderer's, and gone with the app. */
export const dialogPartition = 'lanyard-dialogs';

const width = 580;
const [leastHeight, mostHeight] = [280, 720];
const charactersOfLine = 70;

/**
 * A window that shows one page of text with a form, and can do nothing else. It stays in front, so that nothing of a page
 * lies over it; it can't be made smaller than what it asks.
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
    // A click that brings it to the front is no answer.
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

/** About what the page needs, in CSS pixels; what doesn't fit is scrolled to. */
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

/** Beside each other while they fit; what a button has around its label takes some room, too. */
function linesOfButtons({ answers }: NonNullable<WindowContent['more']>): number {
  const characters = answers.reduce((all, { label }) => all + label.length + 4, 0);
  return Math.ceil(characters / (charactersOfLine + 4));
}
