import type { Confirmed } from '../loaded-config.ts';

/** A copy to change, which then replaces what was approved. */
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

/** Where its approved form is stored. */
export function groupOf(what: 'account' | 'cluster'): 'accounts' | 'clusters' {
  return what === 'account' ? 'accounts' : 'clusters';
}
