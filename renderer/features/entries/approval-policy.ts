import type { ConfigEntry } from '../../../main/contract/ui/calls/entries.ts';

/** When the user is asked. `duration`: once, then not for as long as `approvalFor` says. */
export interface ApprovalValues {
  approval: 'never' | 'always' | 'perTerminal' | 'duration';
  approvalFor: string;
}

export function approvalOf(entry: ConfigEntry | null): ApprovalValues {
  const { approval = 'never' } = entry ?? {};
  return approval === 'never' || approval === 'always' || approval === 'perTerminal'
    ? { approval, approvalFor: '15m' }
    : { approval: 'duration', approvalFor: textOf(approval) };
}

/** As config.yaml has it. */
export function policyText({ approval, approvalFor }: ApprovalValues): string {
  return approval === 'duration' ? approvalFor.trim() : approval;
}

/** A text of config.yaml as a field shows it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
