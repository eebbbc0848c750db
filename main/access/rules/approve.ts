import { BrokerError } from '../../contract/broker-error.ts';
import { groupOf } from '../../contract/config/config.ts';
import { runsProgram } from '../../contract/program-names.ts';
import { own } from '../../domain/approval/active-forms.ts';
import { type PendingChange, unsaidSetting } from '../../domain/approval/binding.ts';
import { editable, setOrDelete } from '../../domain/approval/editable.ts';
import type { Confirmed } from '../../domain/loaded-config.ts';
import type { ChangedProgram, SeenPrograms } from '../../domain/program/program-check.ts';

/** All that the user was shown and approved. */
export interface Shown {
  changes: readonly PendingChange[];
  programs?: SeenPrograms | undefined;
  /** Programs that changed under unchanged accounts. */
  changedPrograms?: readonly ChangedProgram[];
}

/**
 * Adds the approval of exactly what was shown. Throws `confirm.changed` where something else was approved meanwhile:
 * the shown difference is then outdated.
 */
export function withApproved(
  confirmed: Confirmed,
  { changes, programs = {}, changedPrograms = [] }: Shown,
): Confirmed {
  const next = editable(confirmed);
  for (const change of changes) {
    approveOne(next, change);
  }
  for (const [account, program] of Object.entries(programs)) {
    setOrDelete(next.programs, account, program ?? undefined);
  }
  for (const { account, before, now } of changedPrograms) {
    const bound = own(next.programs, account);
    if (bound?.path !== before.path || bound.sha256 !== before.sha256) {
      throw changedMeanwhile();
    }
    next.programs[account] = { path: now.path, sha256: now.sha256 };
  }
  return next;
}

function approveOne(next: Confirmed, { what, name, before, after, form }: PendingChange): void {
  if (what === 'setting') {
    if ((own(next.settings, name) ?? unsaidSetting(name)) !== before) {
      throw changedMeanwhile();
    }
    next.settings[name] = after;
    return;
  }
  const group = groupOf(what);
  if ((own(next[group], name) ?? null) !== before) {
    throw changedMeanwhile();
  }
  next[group][name] = after;
  setOrDelete(next.forms[group], name, form ?? undefined);
  if (what === 'account' && !isPlugin(after)) {
    delete next.programs[name];
  }
}

function isPlugin(shape: string): boolean {
  const { kind } = JSON.parse(shape) as { kind?: unknown };
  return runsProgram(kind) || kind === 'pkcs11';
}

function changedMeanwhile(): BrokerError {
  return new BrokerError('confirm.changed', 'something else was approved meanwhile', {
    reason: 'denied',
    hint: 'review it again: lanyard confirm',
  });
}
