import { type ComponentType, lazy, useState } from 'react';

/** What each view gets: what of it is looked at, by the address; null: nothing in particular. */
export interface ViewProps {
  name: string | null;
}

/** A view that is a part of the page of its own. */
export type ViewPart = ComponentType<ViewProps> & {
  /** Loads it ahead. Where that fails it is tried again when the view is looked at, which then says so. */
  load(): void;
};

/**
 * What has been loaded ahead is drawn at once. React's `lazy` alone suspends even then, and what has suspended is shown
 * 300 ms after its stand-in at the earliest.
 */
export function viewPart(load: () => Promise<{ View: ComponentType<never> | ComponentType }>): ViewPart {
  let loaded: ComponentType<ViewProps> | null = null;
  const loadOnce = async () => {
    loaded ??= (await load()).View as ComponentType<ViewProps>;
    return loaded;
  };
  const Later = lazy(async () => ({ default: await loadOnce() }));
  const part = (props: ViewProps) => <Kept {...props} pick={() => loaded ?? Later} />;
  return Object.assign(part, { load: () => void loadOnce().catch(() => undefined) });
}

/** For as long as it is shown it stays the same component: another would begin anew. */
function Kept({ pick, ...props }: ViewProps & { pick(): ComponentType<ViewProps> }) {
  const [Shown] = useState(pick);
  return <Shown {...props} />;
}
