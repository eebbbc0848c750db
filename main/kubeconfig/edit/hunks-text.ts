import { visibleText } from '../../domain/text/visible-text.ts';
import type { Hunk } from './change.ts';

/** A line longer than this is cut. */
const mostCharacters = 500;

/** Hunks as people know them from `diff -u`, without lines around; empty where nothing differs. Ends with a line break. */
export function hunksText(hunks: readonly Hunk[], { file }: { file: string }): string {
  if (hunks.length === 0) {
    return '';
  }
  const name = visibleText(file);
  const all = [`--- ${name}`, `+++ ${name}`, ...hunks.flatMap(hunkLines)];
  return `${all.join('\n')}\n`;
}

function hunkLines({ oldLine, newLine, removed, added, omitted }: Hunk): string[] {
  const counts = omitted ?? { removed: removed.length, added: added.length };
  return [
    `@@ -${place(oldLine, counts.removed)} +${place(newLine, counts.added)} @@`,
    ...(omitted ? [`  (${omitted.removed} lines go and ${omitted.added} come; they are not shown)`] : []),
    ...removed.map((line) => `-${shown(line)}`),
    ...added.map((line) => `+${shown(line)}`),
  ];
}

/** As `diff -u` counts: of no line, the one before is named; 1 is left out. */
function place(line: number, count: number): string {
  return count === 1 ? String(line) : `${count === 0 ? line - 1 : line},${count}`;
}

function shown(line: string): string {
  return visibleText(line.replaceAll('\t', '  '), mostCharacters);
}
