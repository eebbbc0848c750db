import type { Confirmed } from '../loaded-config.ts';

/** A copy, to be changed and written in the place of what was approved. */
export function editable({ accounts, clusters, settings, programs, forms }: Confirmed): Confirmed {
  return {
    accounts: { ...accounts },
    clusters: { ...clusters },
    settings: { ...settings },
    programs: { ...programs },
    forms: { accounts: { ...forms.accounts }, clusters: { ...forms.clusters } },
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

/** Where what is approved of it stands. */
export function groupOf(what: 'account' | 'cluster'): 'accounts' | 'clusters' {
  return what === 'account' ? 'accounts' : 'clusters';
}
