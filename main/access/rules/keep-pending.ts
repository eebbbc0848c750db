import { groupOf } from '../../contract/config/config.ts';
import { own } from '../../domain/approval/active-forms.ts';
import { type PendingChange, unsaidSetting } from '../../domain/approval/binding.ts';
import { editable, setOrDelete } from '../../domain/approval/editable.ts';
import type { Confirmed } from '../../domain/loaded-config.ts';

/**
 * What a restored vault approves, without what is pending now: where it approved just that form, the present approval
 * stays.
 */
export function withPendingKept(
  restored: Confirmed,
  now: Confirmed,
  pending: readonly PendingChange[],
): Confirmed {
  const next = editable(restored);
  for (const { what, name, before, after } of pending) {
    if (what === 'setting') {
      if ((own(next.settings, name) ?? unsaidSetting(name)) === after) {
        setOrDelete(next.settings, name, before ?? undefined);
      }
      continue;
    }
    const group = groupOf(what);
    if (own(next[group], name) === after) {
      setOrDelete(next[group], name, before ?? undefined);
      setOrDelete(next.forms[group], name, own(now.forms[group], name));
    }
  }
  return next;
}
