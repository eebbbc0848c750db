import type { ApprovalPolicy } from '../domain/approval.ts';
import type { ApprovalRequest } from './approval-request.ts';
import { askingRows, labelled, quoted } from './question-text.ts';

/** The question as it stands on the terminal. */
export function approvalText(request: ApprovalRequest, policy: ApprovalPolicy, remembered: boolean): string {
  const { account, cluster, caller } = request;
  const rows = labelled([
    ['cluster', quoted(cluster.name)],
    ['account', quoted(account)],
    ['server', quoted(cluster.config.server)],
    ...askingRows({ caller, lineage: request.lineage() }),
    ['counts for', remembered ? coverText(policy, cluster.config.approval) : 'this call alone'],
  ]);
  const name = quoted(cluster.name);
  return request.printed
    ? `\nlanyard: a program wants the credential for ${name} in the clear, to use it or pass it on as it likes\n${rows}Print it? [y/N] `
    : `\nlanyard: a program wants the credential for ${name}\n${rows}Hand it out? [y/N] `;
}

function coverText(policy: ApprovalPolicy, approval: string): string {
  return policy.kind === 'perTerminal'
    ? 'all that runs in this terminal, until it is closed or lanyard locked'
    : `all programs that come from there, for ${approval}`;
}
