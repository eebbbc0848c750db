import { own } from '../../domain/approval/active-forms.ts';
import { formText } from '../../domain/approval/approved-form.ts';
import type { ShapeOf } from '../../domain/approval/cluster-shape.ts';
import { editable } from '../../domain/approval/editable.ts';
import type { Confirmed, LoadedConfig } from '../../domain/loaded-config.ts';

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

type Form = ['accounts' | 'clusters', string, string];

function formsOf(confirmed: Confirmed, { accounts, clusters }: LoadedConfig, shapeOf: ShapeOf): Form[] {
  return [
    ...[...accounts.values()]
      .filter((each) => own(confirmed.accounts, each.name) === shapeOf.account(each))
      .map((each): Form => ['accounts', each.name, formText(each)]),
    ...[...clusters.values()]
      .filter((each) => own(confirmed.clusters, each.name) === shapeOf.cluster(each))
      .map((each): Form => ['clusters', each.name, formText(each)]),
  ];
}
