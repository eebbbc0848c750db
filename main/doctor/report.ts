import { type ExitCode, exitCodes } from '../contract/exit-codes.ts';
import { plainJson } from '../domain/text/plain-json.ts';
import { withoutStyle } from '../domain/text/style.ts';
import { findingsText } from './finding-text.ts';
import type { GroupedFinding } from './run-checks.ts';

export interface Report {
  code: ExitCode;
  stdout: string;
}

/**
 * The findings as text, and the exit code: good where nothing is worse than a warning. `plain`: without style marks,
 * since no helper turns them into colours.
 */
export function report(
  findings: readonly GroupedFinding[],
  { json, code, plain = false }: { json: boolean; code?: ExitCode; plain?: boolean },
): Report {
  const failed = findings.some(({ level }) => level === 'problem');
  const text = json ? plainJson(JSON.stringify({ findings }, null, 2)) : findingsText(findings);
  return {
    code: code ?? (failed ? exitCodes.problems : exitCodes.good),
    stdout: `${plain ? withoutStyle(text) : text}\n`,
  };
}
