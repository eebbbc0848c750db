import { type ConfigGroup, groupOf, kindNames } from '../../contract/config/config.ts';
import { own } from '../../domain/approval/active-forms.ts';
import { formText } from '../../domain/approval/approved-form.ts';
import { editable } from '../../domain/approval/editable.ts';
import type { ShapeOf } from '../../domain/approval/kind-rules.ts';
import { type Confirmed, entriesOf, type LoadedConfig } from '../../domain/loaded-config.ts';

/**
 * Adds the form of each entry that config.yaml has as it was approved: keys that need no approval may have changed in
 * it, and a vault of an older Lanyard has no forms. It approves nothing: the shape is the approved one. Returns the
 * same object where each form is stored already.
 */
export function withForms(confirmed: Confirmed, file: LoadedConfig, shapeOf: ShapeOf): Confirmed {
  const forms = formsOf(confirmed, file, shapeOf);
  if (forms.every(([group, name, form]) => own(confirmed.forms[group], name) === form)) {
    return confirmed;
  }
  const next = editable(confirmed);
  for (const [group, name, form] of forms) {
    next.forms[group][name] = form;
  }
  return next;
}

type Form = [ConfigGroup, string, string];

function formsOf(confirmed: Confirmed, file: LoadedConfig, shapeOf: ShapeOf): Form[] {
  return kindNames().flatMap((kind) =>
    [...entriesOf(file, kind).values()]
      .filter((each) => own(confirmed[groupOf(kind)], each.name) === shapeOf(kind, each))
      .map((each): Form => [groupOf(kind), each.name, formText(each)]),
  );
}
