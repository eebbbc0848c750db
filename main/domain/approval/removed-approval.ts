import type { Confirmed } from '../loaded-config.ts';
import { own } from './active-forms.ts';
import { editable, setOrDelete } from './editable.ts';

/** What was approved of a cluster that was removed: enough to restore it. */
export interface RemovedApproval {
  shape: string;
  form: string | undefined;
}

/** For a cluster; null: nothing of it is approved. */
export function approvalOf({ clusters, forms }: Confirmed, cluster: string): RemovedApproval | null {
  const shape = own(clusters, cluster);
  return shape === undefined ? null : { shape, form: own(forms.clusters, cluster) };
}

/** `confirmed` with that approved again, and nothing else. */
export function withRestored(
  confirmed: Confirmed,
  cluster: string,
  { shape, form }: RemovedApproval,
): Confirmed {
  const next = editable(confirmed);
  next.clusters[cluster] = shape;
  setOrDelete(next.forms.clusters, cluster, form);
  return next;
}
