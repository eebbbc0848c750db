import type { ComponentType } from 'react';
import { type Part, part } from '../ui/part.tsx';

/** The item that is selected in the view, from the address. Null: none. */
export interface ViewProps {
  name: string | null;
}

/** A view that is a separate part of the page. */
export type ViewPart = Part<ViewProps>;

export function viewPart(load: () => Promise<{ View: ComponentType<never> | ComponentType }>): ViewPart {
  return part(async () => (await load()).View as ComponentType<ViewProps>);
}
