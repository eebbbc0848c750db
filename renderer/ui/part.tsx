import { type ComponentType, lazy, useState } from 'react';

/** A component that is a separate part of the page: it is loaded from the broker when it is first shown. */
export type Part<Props> = ComponentType<Props> & {
  /** Loads it ahead. Where that fails it is tried again when it is shown. */
  load(): void;
};

/** What a part that could not be loaded throws. */
export class PartFailed extends Error {
  readonly #renew: () => void;

  constructor(renew: () => void, cause: unknown) {
    super('a part of the page could not be loaded', { cause });
    this.name = 'PartFailed';
    this.#renew = renew;
  }

  /** For the boundary that caught it, and not before: React tries again at once what threw. */
  renew(): void {
    this.#renew();
  }
}

/**
 * What has been preloaded is rendered immediately. React's `lazy` suspends even then, and what has suspended is shown
 * 300 ms after its fallback at the earliest. What failed once fails for ever there; here the boundary that caught it
 * has it loaded again when it is shown again.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loadOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  const create = () =>
    lazy(async () => {
      try {
        return { default: await loadOnce() };
      } catch (error) {
        throw new PartFailed(() => {
          later = create();
        }, error);
      }
    });
  let later = create();
  const pick = () => loaded ?? later;
  const shown = (props: Props) => <Kept props={props} pick={pick as () => ComponentType<object>} />;
  return Object.assign(shown, { load: () => void loadOnce().catch(() => undefined) });
}

/** While it is shown it stays the same component: another would start afresh. */
function Kept({ props, pick }: { props: object; pick(): ComponentType<object> }) {
  const [Shown] = useState(pick);
  return <Shown {...props} />;
}
