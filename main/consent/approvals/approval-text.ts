import { type ApprovalPolicy, yesAnswers } from '../../domain/approval/approval.ts';
import type { ApprovalRequest } from './approval-request.ts';
import type { QuestionAbout } from './question-board.ts';
import { callerView, labelled, originRows, quoted, type Row } from './question-text.ts';

/** The question as it stands on the terminal. */
export function approvalText(request: ApprovalRequest, policy: ApprovalPolicy, remembered: boolean): string {
  const counts: Row = [
    'counts for',
    remembered ? coverText(policy, request.cluster.config.approval) : 'this call alone',
  ];
  const rows = labelled([...approvalRows(request), counts]);
  const name = quoted(request.cluster.name);
  return request.printed
    ? `\nlanyard: a program wants the credential for ${name} in the clear, to use it or pass it on as it likes\n${rows}Print it? [y/N] `
    : `\nlanyard: a program wants the credential for ${name}\n${rows}Hand it out? [y/N] `;
}

/** The same for pages, with the answers that they may give. */
export function approvalAbout(request: ApprovalRequest, policy: ApprovalPolicy): QuestionAbout {
  const { cluster, account, caller, printed } = request;
  return {
    kind: 'approval',
    cluster: cluster.name,
    account,
    server: cluster.config.server,
    caller: callerView({ caller, lineage: request.lineage() }),
    printed: printed === true,
    unchecked: false,
    rows: [...approvalRows(request), ...sessionRows(caller)].map(([label, value]) => [label, value]),
    policy: cluster.config.approval,
    answers: yesAnswers(policy, caller),
    inWindow: false,
  };
}

function approvalRows(request: ApprovalRequest): Row[] {
  const { account, cluster, caller } = request;
  return [
    ['cluster', quoted(cluster.name)],
    ['account', quoted(account)],
    ['server', quoted(cluster.config.server)],
    ...originRows({ caller, lineage: request.lineage() }),
  ];
}

/** What a page has room for, beside what the terminal shows. */
function sessionRows({ session, hasTerminal, sure }: ApprovalRequest['caller']): Row[] {
  return [
    [
      'terminal',
      hasTerminal ? (session ? `opened by process ${session.leaderPid}` : 'one that isn’t known') : 'none',
    ],
    ['how sure', sure ? 'as the system tells it' : 'not sure: it ended or changed while it was looked at'],
  ];
}

function coverText(policy: ApprovalPolicy, approval: string): string {
  return policy.kind === 'perTerminal'
    ? 'all that runs in this terminal, until it is closed or lanyard locked'
    : `all programs that come from there, for ${approval}`;
}
