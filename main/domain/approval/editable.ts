import { byGroup, groupOf } from '../../contract/config/config.ts';
import type { Confirmed, EntryTexts } from '../loaded-config.ts';

/** A copy to change, which then replaces what was approved. */
export function editable(confirmed: Confirmed): Confirmed {
  const copy = (texts: EntryTexts) => byGroup((kind) => ({ ...texts[groupOf(kind)] }));
  return {
    ...copy(confirmed),
    settings: { ...confirmed.settings },
    programs: { ...confirmed.programs },
    forms: copy(confirmed.forms),
  };
}

export function setOrDelete<Value>(
  record: Record<string, Value>,
  name: string,
  value: Value | undefined,
): void {
  if (value === undefined) {
    delete record[name];
  } else {
    record[name] = value;
  }
}
