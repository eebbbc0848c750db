import { parseImageName } from '../../domain/image/image-name.ts';
import type { RegistryServer } from '../../domain/image/registry-server.ts';
import { type RegistryCredentialDeps, registryCredential } from '../registry-credential.ts';
import type { RegistryPassword } from '../registry-password.ts';
import type { ConfiguredRegistries } from './configured-registries.ts';

/**
 * The registries of config.yaml for docker’s helper. docker names a host alone, so a pattern with a path answers only
 * where the helper was called by the registry’s own name (`calledAs`). `http://` gets nothing: patterns are for https,
 * and for a registry on this machine docker names no scheme.
 */
export function configRegistries(deps: RegistryCredentialDeps): ConfiguredRegistries {
  const find = ({ scheme, host, path, key }: RegistryServer, calledAs: string | null) => {
    // Docker Hub's token entries are docker's own.
    if (scheme === 'http' || (host === 'index.docker.io' && key !== 'docker.io')) {
      return null;
    }
    // A path that no image has, such as one with `..`, is no image's.
    if (path !== '' && !parseImageName(key).ok) {
      return null;
    }
    const found = deps.directory.registryFor(key, calledAs, deps.gate() === null);
    return found.ok ? found.match : found;
  };
  return {
    find(server, calledAs) {
      const match = find(server, calledAs);
      if (match && 'ok' in match) {
        return { name: server.key, answer: async () => match };
      }
      return (
        match && {
          name: match.registry.name,
          async answer(context, format) {
            return registryCredential(
              {
                door: 'docker',
                client: 'docker',
                image: match.authKey.replace(/\/$/, ''),
                registry: match.registry,
                context,
                interactive: false,
                format: (found) => (hasSomething(found) ? format(found.userName, found.password) : ''),
              },
              deps,
            );
          },
        }
      );
    },
  };
}

/** podman takes an empty user name with an empty secret for one that isn’t there, and docker would send it. */
function hasSomething(found: RegistryPassword | null): found is RegistryPassword {
  return found !== null && (found.userName !== '' || !found.password.isEmpty);
}
