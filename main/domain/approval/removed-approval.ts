import { groupOf } from '../../contract/config/config.ts';
import type { Confirmed, EntryName } from '../loaded-config.ts';
import { own } from './active-forms.ts';
import { editable, setOrDelete } from './editable.ts';

/** What was approved of an entry that was removed: enough to restore it. */
export interface RemovedApproval {
  shape: string;
  form: string | undefined;
}

/** Null: nothing of it is approved. */
export function approvalOf(confirmed: Confirmed, { what, name }: EntryName): RemovedApproval | null {
  const group = groupOf(what);
  const shape = own(confirmed[group], name);
  return shape === undefined ? null : { shape, form: own(confirmed.forms[group], name) };
}

/** `confirmed` with these approved again, and nothing else. */
export function withRestored(
  confirmed: Confirmed,
  entries: readonly (EntryName & { approval: RemovedApproval })[],
): Confirmed {
  const next = editable(confirmed);
  for (const { what, name, approval } of entries) {
    const group = groupOf(what);
    next[group][name] = approval.shape;
    setOrDelete(next.forms[group], name, approval.form);
  }
  return next;
}
