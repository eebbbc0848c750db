/** A view, and what is selected in it. */
export interface Route {
  view: ViewName;
  name: string | null;
}

export const viewNames = [
  'clusters',
  'inventories',
  'registries',
  'accounts',
  'activity',
  'metrics',
  'import',
  'settings',
] as const;
export type ViewName = (typeof viewNames)[number];

/** `#/clusters/+new` adds one, as does `#/registries/+new`. No name begins with a plus. */
export const addingName = '+new';

/** `#/registries/+import` imports them. */
export const importingName = '+import';

/** The route of an address's fragment, such as `/clusters/prod-eu`. The list of clusters if it is none. */
export function routeOf(path: string): Route {
  const [, view = '', ...rest] = path.split(/[?#]/)[0]?.split('/') ?? [];
  const known = viewNames.find((each) => each === view);
  const name = decoded(rest.join('/'));
  return { view: known ?? 'clusters', name: known && name ? name : null };
}

/** The address of a view, or of an item in it: `#/clusters/prod-eu`. */
export function hrefOf(view: ViewName, name?: string | null): string {
  return name ? `#/${view}/${encodeURIComponent(name)}` : `#/${view}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
