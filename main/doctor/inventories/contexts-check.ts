import type { LoadedConfig } from '../../domain/loaded-config.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Check } from '../check.ts';

/** With more, each kubectl takes noticeably longer: it reads all of them (ADR 0029). */
const manyContexts = 200;

/** Checks how many contexts profiles bring into the managed kubeconfig. */
export function contextsCheck({ clusters }: Pick<LoadedConfig, 'clusters'>): Check {
  return {
    group: 'inventories',
    name: 'inventory.contexts',
    subject: null,
    run: () => {
      const ofProfiles = [...clusters.values()].filter(({ origin }) => origin !== undefined).length;
      return ofProfiles === 0 || clusters.size <= manyContexts
        ? []
        : [
            observe('inventory.contexts').note(
              `the managed kubeconfig has up to ${clusters.size} contexts, ${ofProfiles} of them profiles: each kubectl reads all of them`,
              'drop some with lanyard inventory drop; a kubeconfig of some alone comes from lanyard inventory kubeconfig',
            ),
          ];
    },
  };
}
