import { type PlatformPath, posix, win32 } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import { readBounded } from '../../config/read-bounded.ts';
import { dockerHelperName, dockerHelperPrefix } from '../../contract/program-names.ts';
import { hostOf, shownServer } from '../../domain/image/registry-server.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import { observe } from '../../domain/text/finding.ts';
import { type Check, listed, type Observed } from '../check.ts';
import { isSame } from './on-path-check.ts';
import type { UserEnvironment } from './user-environment.ts';

const secrets = ['auth', 'password', 'identitytoken', 'registrytoken'] as const;

/** What docker reads of its config.json. */
const dockerConfig = z.object({
  credsStore: z.string().nullish(),
  credHelpers: z.record(z.string(), z.string()).nullish(),
  auths: z.record(z.string(), z.record(z.string(), z.unknown()).nullish()).nullish(),
});
type DockerConfig = z.infer<typeof dockerConfig>;

/**
 * Checks docker’s config.json of the caller: whether docker and podman ask Lanyard, find its helper, and have logins in
 * plain text. Says nothing where docker has no file and config.yaml no registries.
 */
export function dockerCheck(
  person: UserEnvironment,
  helper: string,
  config: Pick<LoadedConfig, 'registries'> | null,
): Check {
  const registries = [...(config?.registries.values() ?? [])];
  return {
    group: 'registries',
    name: 'docker',
    subject: null,
    run: async () => {
      const file = dockerFile(person);
      const content = file === null ? null : await readBounded(file);
      if (file === null || (content === null && registries.length === 0)) {
        return [];
      }
      const found = observe('docker');
      const read = content === null ? {} : content.ok ? parsed(content.text) : null;
      if (read === null) {
        const fault = content?.ok === false ? content.fault : `${file} is no JSON that docker can read`;
        return [found.warning(fault, `edit ${file}`)];
      }
      const names = namesOfLanyard(read);
      const isUsed = names.length > 0;
      const usage = isUsed
        ? [found.ok(`${file} has docker ask Lanyard`)]
        : registries.length > 0
          ? [found.note('docker doesn’t ask Lanyard', 'lanyard docker install --dry-run')]
          : [];
      const calledAs = registries.flatMap((each) => each.config.calledAs ?? []);
      const called = [...new Set([...names, ...calledAs.map((name) => `${dockerHelperName}-${name}`)])];
      return [
        ...usage,
        ...plainLogins(file, read, isUsed),
        ...(await Promise.all(called.map((name) => helperOnPath(name, person, helper)))),
        ...(isUsed ? await podman(person, read) : []),
      ];
    },
  };
}

/** docker’s own rule: DOCKER_CONFIG names the folder. Null: there is no home folder. */
function dockerFile({ platform, variables, homeDirectory, cwd }: UserEnvironment): string | null {
  const path = pathsOf(platform);
  const named = variables['DOCKER_CONFIG'] ?? '';
  const folder = named !== '' ? named : homeDirectory && path.join(homeDirectory, '.docker');
  return folder === null ? null : path.resolve(cwd, folder, 'config.json');
}

function pathsOf(platform: string): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

function parsed(text: string): DockerConfig | null {
  if (text.trim() === '') {
    return {};
  }
  const read = dockerConfig.safeParse(parseJson(text));
  return read.success ? read.data : null;
}

/** The helper names of the file that are Lanyard’s: `lanyard`, `lanyard-work`. */
function namesOfLanyard({ credsStore, credHelpers }: DockerConfig): string[] {
  const all = [credsStore ?? '', ...Object.values(credHelpers ?? {})];
  const own = all.filter((name) => name === dockerHelperName || name.startsWith(`${dockerHelperName}-`));
  return [...new Set(own)];
}

function plainLogins(file: string, { auths, credHelpers }: DockerConfig, isUsed: boolean): Observed[] {
  const all = Object.entries(auths ?? {}).flatMap(([server, entry]) =>
    secrets.some((key) => (entry?.[key] ?? '') !== '') ? [server] : [],
  );
  // An empty helper: docker reads the login there, because Lanyard can’t store it.
  const staying = all.filter(
    (server) => credHelpers?.[server] === '' || credHelpers?.[hostOf(server)] === '',
  );
  const shown = (servers: readonly string[]) => listed(servers.map(shownServer));
  const plain = all.filter((server) => !staying.includes(server));
  const found = observe('docker.plaintext');
  const message = `logins in plain text, of ${shown(plain)}`;
  const hint = isUsed ? 'lanyard docker install' : 'lanyard docker install --dry-run';
  const again = 'to store another one: docker logout, lanyard docker install, docker login';
  const observed = [
    ...(plain.length === 0 ? [] : [isUsed ? found.warning(message, hint) : found.note(message, hint)]),
    ...(staying.length === 0
      ? []
      : [found.note(`logins that stay in plain text for docker, of ${shown(staying)}`, again)]),
  ];
  return observed.map((each) => ({ ...each, subject: file }));
}

async function helperOnPath(name: string, person: UserEnvironment, helper: string): Promise<Observed> {
  const program = `${dockerHelperPrefix}${name}`;
  const found = observe('docker.helper');
  const hint =
    name === dockerHelperName
      ? 'lanyard install'
      : `make it a ${person.platform === 'win32' ? 'copy of' : 'link to'} ${dockerHelperPrefix}${dockerHelperName}, in a folder of your PATH`;
  const first = await person.program(program);
  if (first === null) {
    return { ...found.problem('docker doesn’t find it on PATH', hint), subject: program };
  }
  return {
    ...((await isSame(first.target, helper))
      ? found.ok(first.path)
      : found.problem(`${first.path} comes first on PATH, and is not this home’s helper`, hint)),
    subject: program,
  };
}

/** podman, buildah and skopeo don’t read `credsStore`, but `credHelpers`. */
async function podman(person: UserEnvironment, { credsStore }: DockerConfig): Promise<Observed[]> {
  const { homeDirectory } = person;
  const podmanProgram = await person.program('podman');
  if (homeDirectory === null || podmanProgram === null || credsStore !== dockerHelperName) {
    return [];
  }
  const file = pathsOf(person.platform).join(
    homeDirectory,
    '.config/containers/registries.conf.d/50-lanyard.conf',
  );
  const content = await readBounded(file);
  const found = observe('docker.podman');
  return [
    content?.ok && content.text.includes(`"${dockerHelperName}"`)
      ? found.ok(`${file} has podman ask Lanyard`)
      : found.note(
          'podman doesn’t ask Lanyard: it doesn’t read credsStore',
          'lanyard docker install --podman',
        ),
  ];
}
