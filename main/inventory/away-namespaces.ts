import type { AwayNamespaces } from '../ports/away-namespaces.ts';
import type { UsedProfiles } from './used-profiles.ts';

/** Of a namespace in Kubernetes: a DNS label (RFC 1123). A longer text is none that the user works in. */
const longestNamespace = 63;

/**
 * Keeps the namespaces of contexts with the profiles that have their names: as long as a name is a profile’s, and no
 * longer.
 */
export function awayNamespaces(used: Pick<UsedProfiles, 'current' | 'update'>): AwayNamespaces {
  return {
    current: () =>
      new Map(
        used
          .current()
          .flatMap(({ contextName, contextNamespace }) =>
            contextNamespace === undefined ? [] : [[contextName, contextNamespace]],
          ),
      ),
    keep: (namespaces) =>
      used.update((profiles) => {
        const next = profiles.map((profile) => {
          const found = namespaces.get(profile.contextName);
          const namespace = found !== undefined && found.length <= longestNamespace ? found : undefined;
          return namespace === profile.contextNamespace
            ? profile
            : { ...profile, contextNamespace: namespace };
        });
        return next.every((profile, index) => profile === profiles[index]) ? profiles : next;
      }),
  };
}
