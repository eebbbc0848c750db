import { basename, dirname } from 'node:path';
import { parseServer, shownServer } from '../../domain/image/registry-server.ts';
import { lineWithVariable, shellWord } from '../../domain/text/shell-line.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { UndoneEdit } from '../../domain/undone-edit.ts';
import type { DockerConfigEdit, RegistryLogin } from '../../ports/vault.ts';
import type { DockerConfig } from './docker-config.ts';
import { chooseRegistry, helperOf, isOwnHelper } from './plan-docker.ts';

const shownServers = 5;

/**
 * Pure. What other programs undid of an edit (rule: reversible-edits). Docker Desktop writes its own `credsStore` when it
 * starts. `config` null: the file is gone. Returns null where docker asks Lanyard as the edit has it.
 */
export function undoneDocker(
  file: string,
  config: DockerConfig | null,
  edit: Pick<DockerConfigEdit, 'credsStore' | 'credHelpers'>,
  stored: Readonly<Record<string, RegistryLogin>>,
): UndoneEdit | null {
  // An empty helper is Lanyard’s, too: the login stays in the file.
  const isLost = (key: string) =>
    config === null || (config.credHelpers[key] !== '' && !isOwnHelper(helperOf(config, key)));
  const store = edit.credsStore && !isOwnHelper(config?.credsStore ?? null);
  const hosts = edit.credHelpers.filter(isLost);
  if (!store && hosts.length === 0) {
    return null;
  }
  const only = Object.values(stored).flatMap(({ serverUrl }) => {
    const server = parseServer(serverUrl);
    const key = server.ok ? chooseRegistry(server.server)?.key : undefined;
    const isHere = (config?.auths ?? []).some(
      (auth) => auth.server === key && Object.values(auth.values).some((value) => value !== ''),
    );
    return key !== undefined && (store || hosts.includes(key)) && isLost(key) && !isHere ? [serverUrl] : [];
  });
  const named = store ? (config?.credsStore ?? null) : null;
  const now =
    config === null
      ? 'the file is gone'
      : store
        ? named === null
          ? 'credsStore was removed from it'
          : `its credsStore is ${visibleText(named, 100)}`
        : `its credHelpers for ${listed(hosts)} were changed`;
  const logins = only.length === 0 ? '' : `, and only Lanyard has the login of ${listed(only)}`;
  return {
    what: 'docker',
    file,
    text: `docker no longer asks Lanyard: ${now}${logins}`,
    command: commandFor(file, edit),
  };
}

function listed(servers: readonly string[]): string {
  const more = servers.length - shownServers;
  const shown = servers.slice(0, shownServers).map(shownServer).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** The files that the command edits are those of the caller’s environment. */
function commandFor(
  file: string,
  { credsStore, credHelpers }: Pick<DockerConfigEdit, 'credsStore' | 'credHelpers'>,
): string {
  const folder = dirname(file);
  const registries = credsStore ? [] : credHelpers.map((key) => `--registry ${shellWord(key)}`);
  if (basename(folder) === 'registry') {
    return ['lanyard docker install --helm', ...registries].join(' ');
  }
  const command = ['lanyard docker install', ...registries].join(' ');
  return visibleText(
    basename(folder) === '.docker' ? command : lineWithVariable('DOCKER_CONFIG', folder, command),
    2000,
  );
}
