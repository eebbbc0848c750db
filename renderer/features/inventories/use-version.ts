import { useBroker } from '../../stores/use-broker.tsx';

/** Changes whenever a profile, or what is in use, does: what was read of them is read again. */
export function useVersion(): string {
  return useBroker((state) =>
    Object.values(state.sections.inventories)
      .map(({ version }) => version)
      .join(' '),
  );
}
