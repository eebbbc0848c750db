import type { FindingView } from '../../../main/contract/ui/calls/settings.ts';
import { counted } from '../../../main/contract/ui/count-text.ts';

export interface FindingGroup {
  group: FindingView['group'];
  title: string;
  /** The findings that the user may want to read, the worst first. */
  worth: readonly FindingView[];
  /** The findings without a fault. */
  fine: readonly FindingView[];
}

const titles: Readonly<Record<FindingView['group'], string>> = {
  broker: 'Lanyard',
  accounts: 'Accounts',
  clusters: 'Clusters',
  proxy: 'Request proxy',
  registries: 'Registries',
  inventories: 'Inventories',
  kubeconfigs: 'Kubeconfigs',
  tools: 'Tools',
};
const weights: Readonly<Record<FindingView['level'], number>> = { problem: 0, warning: 1, note: 2, ok: 3 };

/** The findings by group, in doctor's order. Leaves out empty groups. */
export function findingGroups(findings: readonly FindingView[]): FindingGroup[] {
  return (Object.keys(titles) as FindingView['group'][]).flatMap((group) => {
    const own = findings.filter((finding) => finding.group === group);
    const worth = own
      .filter(({ level }) => level !== 'ok')
      .sort((a, b) => weights[a.level] - weights[b.level]);
    const fine = own.filter(({ level }) => level === 'ok');
    return own.length === 0 ? [] : [{ group, title: titles[group], worth, fine }];
  });
}

/** The result in one sentence. */
export function summaryText(findings: readonly FindingView[]): string {
  const count = (level: FindingView['level']) => findings.filter((finding) => finding.level === level).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const of = `${counted(findings.length, 'check')} run.`;
  if (problems === 0 && warnings === 0) {
    return `No problems found. ${of}`;
  }
  const parts = [
    ...(problems > 0 ? [counted(problems, 'problem')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return `${parts.join(', ')}; ${of}`;
}
