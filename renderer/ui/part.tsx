import { type ComponentType, lazy, useState } from 'react';

/** A component that is a separate part of the page. It is loaded from the broker when it is first shown. */
export type Part<Props> = ComponentType<Props> & {
  /** Preloads it. If that fails, it is loaded again when it is shown. */
  load(): void;
};

/** Thrown by a part that could not be loaded. */
export class PartFailed extends Error {
  readonly #renew: () => void;

  constructor(renew: () => void, cause: unknown) {
    super('a part of the page could not be loaded', { cause });
    this.name = 'PartFailed';
    this.#renew = renew;
  }

  /** For the boundary that caught it, not earlier: React immediately retries what threw. */
  renew(): void {
    this.#renew();
  }
}

/**
 * Renders a preloaded part immediately. React's `lazy` suspends even then, and what has suspended is shown at the
 * earliest 300 ms after its fallback. And `lazy` never recovers from a failed load. Here, the boundary that caught
 * the failure has the part loaded again when it is shown again.
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

/** Keeps the component while it is shown: another one would lose its state. */
function Kept({ props, pick }: { props: object; pick(): ComponentType<object> }) {
  const [Shown] = useState(pick);
  return <Shown {...props} />;
}
