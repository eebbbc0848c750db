import { type FindingLevel, findingLevels } from '../domain/finding.ts';
import { styled } from '../domain/style.ts';
import { type Group, groups } from './check.ts';
import type { GroupedFinding } from './run-checks.ts';

const headings: Readonly<Record<Group, string>> = {
  broker: 'Broker',
  accounts: 'Accounts',
  clusters: 'Clusters',
  kubeconfigs: 'Kubeconfigs',
  tools: 'Programs',
};

const wide = Math.max(...findingLevels.map((level) => level.length));

/** The findings for a person: by group, what is worst first, with what to do under each. */
export function findingsText(findings: readonly GroupedFinding[]): string {
  const sections = groups.flatMap((group) => {
    const own = findings.filter((each) => each.group === group);
    const lines = findingLevels.flatMap((level) => own.filter((each) => each.level === level).map(lineOf));
    return lines.length === 0 ? [] : [[styled.bold(headings[group]), ...lines].join('\n')];
  });
  return [...sections, summary(findings)].join('\n\n');
}

const colours: Readonly<Record<FindingLevel, (text: string) => string>> = {
  problem: styled.red,
  warning: styled.yellow,
  note: styled.cyan,
  ok: styled.green,
};

function lineOf({ level, subject, message, hint }: GroupedFinding): string {
  const line = `  ${colours[level](level)}${' '.repeat(wide - level.length)}  ${subject === null ? '' : `${subject}: `}${message}`;
  return hint === null ? line : `${line}\n  ${' '.repeat(wide)}    ${hint}`;
}

/** `2 problems, 1 warning` */
export function summary(findings: readonly GroupedFinding[]): string {
  const count = (level: FindingLevel) => findings.filter((each) => each.level === level).length;
  const parts = (['problem', 'warning', 'note'] as const)
    .map((level) => [level, count(level)] as const)
    .filter(([, number]) => number > 0)
    .map(([level, number]) => `${number} ${level}${number === 1 ? '' : 's'}`);
  return parts.length === 0 ? 'Nothing to complain about.' : parts.join(', ');
}
