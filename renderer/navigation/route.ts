/** Where the page is: a view, and what is selected in it. */
export interface Route {
  view: ViewName;
  name: string | null;
}

export const viewNames = ['clusters', 'accounts', 'activity', 'metrics', 'import', 'settings'] as const;
export type ViewName = (typeof viewNames)[number];

/** `#/clusters/+new` adds one: no cluster's name begins with a plus. */
export const addingName = '+new';

/** The route that an address's fragment names: `/clusters/prod-eu`. What names none is the list of clusters. */
export function routeOf(path: string): Route {
  const [, view = '', ...rest] = path.split(/[?#]/)[0]?.split('/') ?? [];
  const known = viewNames.find((each) => each === view);
  const name = decoded(rest.join('/'));
  return { view: known ?? 'clusters', name: known && name ? name : null };
}

/** The address of a view, or of something in it: `#/clusters/prod-eu`. */
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
