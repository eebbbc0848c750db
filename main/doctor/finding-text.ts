import { counted } from '../contract/ui/count-text.ts';
import { type FindingLevel, findingLevels } from '../domain/text/finding.ts';
import { styled } from '../domain/text/style.ts';
import { type Group, groups } from './check.ts';
import type { GroupedFinding } from './run-checks.ts';

const headings: Readonly<Record<Group, string>> = {
  broker: 'Agent',
  accounts: 'Accounts',
  clusters: 'Clusters',
  proxy: 'Request proxy',
  registries: 'Registries',
  inventories: 'Inventories',
  kubeconfigs: 'Kubeconfigs',
  tools: 'Programs',
};

const wide = Math.max(...findingLevels.map((level) => level.length));

/** The findings as text: by group, the worst first, each with its hint. */
export function findingsText(findings: readonly GroupedFinding[]): string {
  const sections = groups.flatMap((group) => {
    const own = findings.filter((each) => each.group === group);
    const lines = findingLevels.flatMap((level) => linesOf(own.filter((each) => each.level === level)));
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

/** The most lines of a level in a group, and the most subjects of a line; `--json` has all. */
const [lineLimit, subjectLimit] = [40, 4];

/** Puts findings with the same message on one line: there may be thousands of clusters. */
function linesOf(findings: readonly GroupedFinding[]): string[] {
  const alike = Map.groupBy(findings, ({ message, hint }) => JSON.stringify([message, hint]));
  const lines = [...alike.values()].map(lineOf);
  const more = lines.length - lineLimit;
  return more > 0 ? [...lines.slice(0, lineLimit), `  … and ${more} more (--json shows all)`] : lines;
}

function lineOf(alike: readonly GroupedFinding[]): string {
  const [{ level, message, hint }] = alike as [GroupedFinding];
  const subjects = alike.flatMap(({ subject }) => subject ?? []);
  const more = subjects.length - subjectLimit;
  const named = subjects.slice(0, subjectLimit).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const line = `  ${colours[level](level)}${' '.repeat(wide - level.length)}  ${named === '' ? '' : `${named}: `}${message}`;
  return hint === null ? line : `${line}\n  ${' '.repeat(wide)}    ${hint}`;
}

/** `2 problems, 1 warning` */
export function summary(findings: readonly GroupedFinding[]): string {
  const count = (level: FindingLevel) => findings.filter((each) => each.level === level).length;
  const parts = (['problem', 'warning', 'note'] as const)
    .map((level) => [level, count(level)] as const)
    .filter(([, number]) => number > 0)
    .map(([level, number]) => counted(number, level));
  return parts.length === 0 ? 'No problems found.' : parts.join(', ');
}
