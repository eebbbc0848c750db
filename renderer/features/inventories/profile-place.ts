import type { ProfileNameView } from '../../../main/contract/ui/calls/inventories.ts';
import { hrefOf } from '../../navigation/route.ts';

/** What follows an inventory’s name in the address of its settings. No namespace begins with a plus. */
const settingsPart = '+settings';

/** Where the view is: all inventories, one of them, its settings, or one profile. */
export type Place =
  | { kind: 'all' }
  | { kind: 'inventory' | 'settings'; inventory: string }
  | { kind: 'profile'; profile: ProfileNameView };

/** The place of an address’s name: `fleet`, `fleet/+settings`, `fleet/team/eu`. A name in `known` may have slashes. */
export function placeOf(name: string | null, known: (inventory: string) => boolean): Place {
  if (name === null) {
    return { kind: 'all' };
  }
  const parts = name.split('/');
  if (known(name) || parts.length === 1) {
    return { kind: 'inventory', inventory: name };
  }
  if (parts.at(-1) === settingsPart) {
    return { kind: 'settings', inventory: parts.slice(0, -1).join('/') };
  }
  return parts.length < 3
    ? { kind: 'inventory', inventory: name }
    : {
        kind: 'profile',
        profile: {
          inventory: parts.slice(0, -2).join('/'),
          namespace: parts.at(-2) ?? '',
          name: parts.at(-1) ?? '',
        },
      };
}

/** A profile’s whole name, as `lanyard inventory` takes it. */
export function wholeNameOf({ inventory, namespace, name }: ProfileNameView): string {
  return `${inventory}:${namespace}/${name}`;
}

/** The address of a profile’s page; `query`: the list’s, to come back to it. */
export function profileHref({ inventory, namespace, name }: ProfileNameView, query = ''): string {
  return `${hrefOf('inventories', `${inventory}/${namespace}/${name}`)}${query === '' ? '' : `?${query}`}`;
}

export function settingsHref(inventory: string): string {
  return hrefOf('inventories', `${inventory}/${settingsPart}`);
}
