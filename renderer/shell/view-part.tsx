import type { ComponentType } from 'react';
import { type Part, part } from '../ui/part.tsx';

/** What each view gets: what of it is looked at, by the address; null: nothing in particular. */
export interface ViewProps {
  name: string | null;
}

/** A view that is a part of the page of its own. */
export type ViewPart = Part<ViewProps>;

export function viewPart(load: () => Promise<{ View: ComponentType<never> | ComponentType }>): ViewPart {
  return part(async () => (await load()).View as ComponentType<ViewProps>);
}
