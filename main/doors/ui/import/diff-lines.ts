import { visibleText } from '../../../domain/text/visible-text.ts';
import type { Hunk } from '../../../kubeconfig/edit/change.ts';
import { hunksText } from '../../../kubeconfig/edit/index.ts';

const lineLimit = 400;
const longestLine = 300;

/** A difference for a page. The hunks’ secrets must be masked already. */
export function diffLines(hunks: readonly Hunk[], file: string): { lines: string[]; moreLines: number } {
  const lines = hunksText(hunks, { file }).trimEnd().split('\n');
  return {
    lines: lines.slice(0, lineLimit).map((line) => visibleText(line, longestLine)),
    moreLines: Math.max(0, lines.length - lineLimit),
  };
}
