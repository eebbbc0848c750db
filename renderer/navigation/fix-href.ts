import { hrefOf } from './route.ts';

/** The places of config.yaml that have a form in the page. */
const forms = ['accounts', 'clusters', 'registries', 'inventories'] as const;

/**
 * Where a problem of config.yaml is fixed, by the keys that lead to it: the entry; of an account, its form at the field
 * (`?edit=`). Null: in the file alone.
 */
export function fixHref([group, name, ...keys]: readonly string[]): string | null {
  const view = forms.find((each) => each === group);
  if (view === undefined || name === undefined) {
    return null;
  }
  const href = hrefOf(view, name);
  // The first of them is the kind: `oidc`.
  return view === 'accounts' ? `${href}?edit=${encodeURIComponent(keys[1] ?? '')}` : href;
}

/** The field of an account’s form that the address asks for; '': the form. Null: it asks for none. */
export function editedField(query: string): string | null {
  return new URLSearchParams(query).get('edit');
}
