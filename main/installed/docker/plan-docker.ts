import { Secret } from '../../base/secret.ts';
import { identityTokenUser } from '../../contract/identity-token.ts';
import { dockerHelperName, dockerHelperPrefix, isOwnProgram } from '../../contract/program-names.ts';
import { hubServer } from '../../domain/image/helper-answer.ts';
import { parseServer, type RegistryServer, shownServer } from '../../domain/image/registry-server.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { DockerConfigEdit, RegistryLogin } from '../../ports/vault.ts';
import type { AuthKey, DockerAuth, DockerConfig } from './docker-config.ts';
import { type DockerChanges, noChanges } from './edit-docker-config.ts';

/** A registry that docker asks Lanyard for: its key in `credHelpers`, and the server. */
export interface ChosenRegistry {
  key: string;
  server: RegistryServer;
}

/** Whom the file names for a server afterwards. Empty: Lanyard for all, by `credsStore`. `unchanged`: only logins move. */
export type Asked = readonly ChosenRegistry[] | 'unchanged';

export interface PlanQuestions {
  asked: Asked;
  stored: Readonly<Record<string, RegistryLogin>>;
  /** The registry of config.yaml that answers for the server; null: none. */
  configured(server: RegistryServer): string | null;
}

/** What an installation does to one config.json. */
export interface DockerPlan {
  changes: DockerChanges;
  /** Logins that move from the file into the vault, by the key of their entry. */
  logins: readonly { key: string; login: RegistryLogin }[];
  /** Logins that stay in the file, and why. */
  left: readonly { server: string; why: string }[];
  /** Servers that other helpers keep answering for. */
  others: readonly { server: string; helper: string }[];
  /**
   * The credential store that docker asked so far, and that Lanyard has to ask where it has nothing; null: none. Its
   * logins would not be found any more.
   */
  wraps: string | null;
  /** Chosen registries that another helper answered for, and no registry of config.yaml does: Lanyard has to ask it. */
  adopts: readonly { registry: ChosenRegistry; helper: string }[];
}

/** docker looks a helper up by host and port, and Docker Hub by its URL. Null: the name has a path or `http`. */
export function chooseRegistry(server: RegistryServer): ChosenRegistry | null {
  if (server.key === 'docker.io') {
    return { key: hubServer, server };
  }
  return server.scheme === 'http' || server.path !== '' ? null : { key: server.key, server };
}

/** Pure. Logins with docker’s own spelling of a server go first: of two for one server only the first moves. */
export function planDocker(config: DockerConfig, questions: PlanQuestions): DockerPlan {
  const { asked } = questions;
  const moved = new Map<string, RegistryLogin>();
  const left: { server: string; why: string }[] = [];
  const auths: Record<string, AuthKey[]> = {};
  const ordered = [
    ...config.auths.filter(({ server }) => server === hubServer),
    ...config.auths.filter(({ server }) => server !== hubServer),
  ];
  for (const auth of ordered) {
    const verdict = judge(auth, config, questions, moved);
    if (verdict === null) {
      continue;
    }
    if ('why' in verdict) {
      left.push({ server: shownServer(auth.server), why: verdict.why });
      continue;
    }
    moved.set(verdict.key, verdict.login);
    auths[auth.server] = keysOf(auth).filter((key) => key !== 'registrytoken');
    if (auth.values.registrytoken) {
      left.push({ server: shownServer(auth.server), why: registryTokenWhy });
    }
  }
  if (asked === 'unchanged') {
    return {
      changes: { ...noChanges, auths },
      logins: [...moved].map(([key, login]) => ({ key, login })),
      left,
      others: [],
      wraps: null,
      adopts: [],
    };
  }
  const registries = asked;
  const { credsStore } = config;
  const helpers = registries.filter(({ key }) => !isOwnHelper(helperFor(config, key)));
  const others = helpers.map((registry) => ({ registry, helper: helperFor(config, registry.key) }));
  const usesStore = registries.length === 0 || others.some(({ helper }) => helper === null);
  return {
    changes: {
      ...(registries.length === 0 && !isOwnHelper(credsStore) && { credsStore: dockerHelperName }),
      credHelpers: Object.fromEntries(helpers.map(({ key }) => [key, dockerHelperName])),
      dropEmptyHelpers: false,
      auths,
    },
    logins: [...moved].map(([key, login]) => ({ key, login })),
    left,
    others:
      registries.length > 0
        ? []
        : Object.entries(config.credHelpers)
            .filter(([, helper]) => !isOwnHelper(helper))
            .map(([server, helper]) => ({ server: shownServer(server), helper })),
    wraps: usesStore && !isOwnHelper(credsStore) ? credsStore : null,
    adopts: others.flatMap(({ registry, helper }) =>
      helper !== null && questions.configured(registry.server) === null ? [{ registry, helper }] : [],
    ),
  };
}

const registryTokenWhy = 'its registry token stays: credential helpers have no place for one';

type Verdict = { key: string; login: RegistryLogin } | { why: string };

/** Null: it has no secret, or belongs to no chosen registry. */
function judge(
  auth: DockerAuth,
  config: DockerConfig,
  { asked, stored, configured }: PlanQuestions,
  moved: ReadonlyMap<string, RegistryLogin>,
): Verdict | null {
  if (keysOf(auth).length === 0) {
    return null;
  }
  const registries = asked === 'unchanged' ? [] : asked;
  const parsed = parseServer(auth.server);
  if (!parsed.ok) {
    return registries.length > 0 ? null : { why: parsed.message };
  }
  const { server } = parsed;
  if (asked === 'unchanged' && server.path !== '') {
    return { why: 'podman asks its helper for the host alone' };
  }
  const chosen = registries.some((each) => each.server.key === server.key);
  if (registries.length > 0 && !chosen) {
    return null;
  }
  const helper = helperFor(config, chooseRegistry(server)?.key ?? auth.server);
  if (registries.length === 0 && helper !== null && !isOwnHelper(helper)) {
    return { why: `docker asks the helper ${visibleText(helper)} for it` };
  }
  const name = configured(server);
  if (name !== null) {
    return { why: `the registry ${name} of config.yaml answers for it: take this login out by hand` };
  }
  const found = loginOf(auth);
  if (typeof found === 'string') {
    return { why: found };
  }
  const earlier =
    moved.get(server.key) ?? (Object.hasOwn(stored, server.key) ? stored[server.key] : undefined);
  return earlier === undefined || isSame(earlier, found)
    ? { key: server.key, login: earlier ?? found }
    : { why: 'another login for this server is stored already: log out of one of them' };
}

function helperFor({ credHelpers }: DockerConfig, key: string): string | null {
  return Object.hasOwn(credHelpers, key) ? (credHelpers[key] ?? null) : null;
}

function isOwnHelper(helper: string | null): boolean {
  return helper !== null && isOwnProgram(`${dockerHelperPrefix}${helper}`);
}

function keysOf({ values }: DockerAuth): AuthKey[] {
  return (Object.keys(values) as AuthKey[]).filter((key) => values[key] !== '');
}

/** As docker reads an entry (cli/config/configfile): an identity token counts before a password. Else why there is none. */
function loginOf({ server, values }: DockerAuth): RegistryLogin | string {
  const { auth = '', username = '', password = '', identitytoken = '', registrytoken = '' } = values;
  if (identitytoken !== '') {
    return { serverUrl: server, userName: identityTokenUser, secret: new Secret(identitytoken) };
  }
  if (auth !== '') {
    return decodeAuth(server, auth) ?? 'its auth can’t be read as a user name and a password';
  }
  if (username !== '' && password !== '') {
    return { serverUrl: server, userName: username, secret: new Secret(password) };
  }
  return registrytoken === '' ? 'it has no complete login' : registryTokenWhy;
}

/** Base64 of `user:password`; docker drops zero bytes at the end. */
function decodeAuth(serverUrl: string, auth: string): RegistryLogin | null {
  const packed = auth.trim();
  const bytes = Buffer.from(packed, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== packed.replace(/=+$/, '')) {
    return null;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const [, userName = '', password = ''] = /^([^:]+):([\s\S]*)$/.exec(text) ?? [];
    return userName === '' ? null : { serverUrl, userName, secret: new Secret(password.replace(/\0+$/, '')) };
  } catch {
    return null;
  }
}

function isSame(one: RegistryLogin, other: RegistryLogin): boolean {
  return one.userName === other.userName && one.secret.reveal() === other.secret.reveal();
}

/** Takes back only what Lanyard set, and what is still as it set it. `before`: the file before the first edit. */
export function planTakingBack(
  now: DockerConfig,
  before: DockerConfig | null,
  edit: Pick<DockerConfigEdit, 'credsStore' | 'credHelpers'>,
): DockerChanges {
  const hosts = edit.credHelpers.filter((key) => helperFor(now, key) === dockerHelperName);
  const earlier = (key: string) => (before === null ? null : helperFor(before, key));
  return {
    ...(edit.credsStore && now.credsStore === dockerHelperName && { credsStore: before?.credsStore ?? null }),
    credHelpers: Object.fromEntries(hosts.map((key) => [key, earlier(key)])),
    dropEmptyHelpers: before === null || Object.keys(before.credHelpers).length === 0,
    auths: {},
  };
}

/** docker asks Lanyard for all registries, or for some. */
export function namesLanyard({ credsStore, credHelpers }: DockerConfig): boolean {
  return [credsStore, ...Object.values(credHelpers)].includes(dockerHelperName);
}
