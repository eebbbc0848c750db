import type { RegistryServer } from '../../domain/image/registry-server.ts';
import { type RegistryCredentialDeps, registryCredential } from '../registry-credential.ts';
import type { ConfiguredRegistries } from './configured-registries.ts';

/**
 * The registries of config.yaml for docker’s helper. docker names a host alone, so a pattern with a path answers only
 * where the helper was called by the registry’s own name (`calledAs`). `http://` gets nothing: patterns are for https,
 * and for a registry on this machine docker names no scheme.
 */
export function configRegistries(deps: RegistryCredentialDeps): ConfiguredRegistries {
  const find = ({ scheme, key }: RegistryServer, calledAs: string | null) => {
    if (scheme === 'http') {
      return null;
    }
    const patterns = deps.directory.registryPatterns();
    const found = calledAs === null ? patterns.find(key) : patterns.findAnyPath(key.split('/', 1)[0] ?? '');
    return found.find(({ registry }) => (registry.config.calledAs ?? null) === calledAs)?.registry ?? null;
  };
  return {
    find(server, calledAs) {
      const registry = find(server, calledAs);
      return (
        registry && {
          name: registry.name,
          async answer(context, format) {
            return registryCredential(
              {
                door: 'docker',
                client: 'docker',
                registry,
                context,
                interactive: false,
                format: ({ userName, password }) => format(userName, password),
              },
              deps,
            );
          },
        }
      );
    },
  };
}
