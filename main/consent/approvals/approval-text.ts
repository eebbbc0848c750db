import { type ApprovalPolicy, yesAnswers } from '../../domain/approval/approval.ts';
import { nameOf } from '../../domain/target/target.ts';
import type { ApprovalRequest } from './approval-request.ts';
import type { QuestionAbout } from './question-board.ts';
import {
  callerView,
  inCell,
  labelled,
  originRows,
  quoted,
  type Row,
  type ShowValue,
} from './question-text.ts';

/** The question as the terminal shows it. */
export function approvalText(request: ApprovalRequest, policy: ApprovalPolicy, remembered: boolean): string {
  const counts: Row = [
    'applies to',
    remembered ? coverText(policy, request.target.approval) : 'this request only',
  ];
  const rows = labelled([...approvalRows(request, quoted), counts]);
  const name = quoted(request.target.name);
  return request.print
    ? `\nlanyard: a program wants to read the raw credential for ${name}\n${rows}Print it? [y/N] `
    : `\nlanyard: a program wants the credential for ${name}\n${rows}Allow? [y/N] `;
}

/** The same for pages, with the answers that they may give. */
export function approvalAbout(request: ApprovalRequest, policy: ApprovalPolicy): QuestionAbout {
  const { target, caller, print } = request;
  return {
    kind: 'approval',
    target: nameOf(target),
    account: target.account,
    server: target.address,
    caller: callerView({ caller, lineage: request.lineage() }),
    printed: print !== undefined,
    unchecked: false,
    rows: [...approvalRows(request, inCell), ...sessionRows(caller)].map(([label, value]) => [label, value]),
    policy: target.approval,
    answers: yesAnswers(policy, caller),
    inWindow: false,
  };
}

function approvalRows(request: ApprovalRequest, show: ShowValue): Row[] {
  const { target, caller } = request;
  return [
    [target.kind, show(target.name)],
    ['account', show(target.account)],
    ['server', show(target.address)],
    ...originRows({ caller, lineage: request.lineage() }, show),
  ];
}

/** Where an answer for a terminal would mean something else than it says. */
function sessionRows({ session, hasTerminal }: ApprovalRequest['caller']): Row[] {
  if (!hasTerminal) {
    return [['terminal', 'none']];
  }
  return session ? [] : [['terminal', 'unknown']];
}

function coverText(policy: ApprovalPolicy, approval: string): string {
  return policy.kind === 'perTerminal'
    ? 'all that runs in this terminal, until it is closed or lanyard locked'
    : `all programs that come from there, for ${approval}`;
}
