import { isUtf8 } from 'node:buffer';
import { Secret } from '../../base/secret.ts';
import { identityTokenUser } from '../../contract/identity-token.ts';
import { dockerHelperName, dockerHelperPrefix, isOwnProgram } from '../../contract/program-names.ts';
import { hubServer } from '../../domain/image/helper-answer.ts';
import { hostOf, parseServer, type RegistryServer, shownServer } from '../../domain/image/registry-server.ts';
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
  /** The keys of `credHelpers` that Lanyard set earlier. */
  own: readonly string[];
  /** The credential store that Lanyard asks where it has nothing; null: none. */
  fallback: string | null;
}

/** What an installation does to one config.json. */
export interface DockerPlan {
  changes: DockerChanges;
  /** Logins that move from the file into the vault, by the key of their entry. */
  logins: readonly { key: string; login: RegistryLogin }[];
  /** Logins that stay in the file, and why. */
  left: readonly { server: string; why: string }[];
  /** Servers whose login stays, and that docker goes on finding in the file, by the key that docker looks up. */
  keeps: readonly string[];
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

/**
 * Pure. Entries that docker finds by their exact text go first: of two for one server only the first moves.
 *
 * A login that can’t move stays readable by docker: an empty helper in `credHelpers` has docker read the file for that
 * server, since 17.06 (docker/cli, cli/config/configfile: `getConfiguredCredentialStore`).
 */
export function planDocker(config: DockerConfig, questions: PlanQuestions): DockerPlan {
  const { asked, own } = questions;
  const moved = new Map<string, RegistryLogin>();
  const stays: { server: string; why: string; key: string | null }[] = [];
  const auths: Record<string, AuthKey[]> = {};
  /** What docker asks Lanyard for, or finds empty in the file: of several entries for one server it reads any. */
  const served = new Set<string | null>();
  for (const entry of lookUps(config)) {
    const { auth, key } = entry;
    const verdict = judge(entry, config, questions, moved);
    if (verdict === null) {
      served.add(key);
      continue;
    }
    const server = shownServer(auth.server);
    if ('why' in verdict) {
      const { why, isFound } = verdict;
      stays.push({ server, why, key: isFound ? key : null });
      continue;
    }
    served.add(key);
    moved.set(verdict.key, verdict.login);
    auths[auth.server] = keysOf(auth).filter((each) => each !== 'registrytoken');
    if (auth.values.registrytoken) {
      stays.push({ server, why: registryTokenWhy, key: null });
    }
  }
  const isKept = (key: string | null): key is string =>
    key !== null && asked !== 'unchanged' && !served.has(key);
  const left = stays.map(({ server, why, key }) => ({
    server,
    why: isKept(key) ? `${why}; docker goes on reading it there` : why,
  }));
  const keeps = new Set(stays.map(({ key }) => key).filter(isKept));
  const plan = { logins: [...moved].map(([key, login]) => ({ key, login })), left, keeps: [...keeps] };
  if (asked === 'unchanged') {
    return { ...plan, changes: { ...noChanges, auths }, others: [], wraps: null, adopts: [] };
  }
  const { credsStore } = config;
  if (asked.length === 0) {
    const empty = own.filter((key) => helperFor(config, key) === '' && !keeps.has(key));
    const wanted = [...keeps].filter((key) => helperFor(config, key) !== '');
    return {
      ...plan,
      changes: {
        ...(!isOwnHelper(credsStore) && { credsStore: dockerHelperName }),
        credHelpers: Object.fromEntries([
          ...empty.map((key) => [key, null]),
          ...wanted.map((key) => [key, '']),
        ]),
        dropEmptyHelpers: true,
        auths,
      },
      others: Object.entries(config.credHelpers)
        .filter(([, helper]) => isOtherHelper(helper))
        .map(([server, helper]) => ({ server: shownServer(server), helper })),
      wraps: isOwnHelper(credsStore) ? null : credsStore,
      adopts: [],
    };
  }
  const registries = asked.filter(({ key }) => !keeps.has(key) && !isOwnHelper(helperFor(config, key)));
  const usesStore = registries.some(({ key }) => helperFor(config, key) === null);
  return {
    ...plan,
    changes: {
      credHelpers: Object.fromEntries(registries.map(({ key }) => [key, dockerHelperName])),
      dropEmptyHelpers: false,
      auths,
    },
    others: [],
    wraps: usesStore && !isOwnHelper(credsStore) ? credsStore : null,
    adopts: registries.flatMap((registry) => {
      const helper = helperFor(config, registry.key);
      return isOtherHelper(helper) && questions.configured(registry.server) === null
        ? [{ registry, helper }]
        : [];
    }),
  };
}

/** An entry of `auths`, and the key for which docker finds it; null: docker looks up none of its names. */
interface LookUp {
  auth: DockerAuth;
  key: string | null;
}

/**
 * As docker looks entries up (cli/config/credentials/file_store.go): by the exact text, else by the host and port of an
 * entry’s URL.
 */
function lookUps({ auths }: DockerConfig): LookUp[] {
  const texts = new Set(auths.map(({ server }) => server));
  const isExact = ({ server }: DockerAuth) => server === hubServer || server === hostOf(server);
  const keyOf = (auth: DockerAuth) => {
    const host = hostOf(auth.server);
    return isExact(auth)
      ? // Docker Hub has a key of its own.
        hubNames.includes(auth.server)
        ? null
        : auth.server
      : texts.has(host) || hubNames.includes(host)
        ? null
        : host;
  };
  const hub = auths.filter(({ server }) => server === hubServer);
  const exact = auths.filter((auth) => isExact(auth) && auth.server !== hubServer);
  const others = auths.filter((auth) => !isExact(auth));
  return [...hub, ...exact, ...others].map((auth) => ({ auth, key: keyOf(auth) }));
}

const hubNames: readonly string[] = ['docker.io', 'index.docker.io'];

const registryTokenWhy = 'its registry token stays: credential helpers have no place for one';

/** `isFound`: docker reads the login from the file, or did before it asked Lanyard, and must go on. */
type Verdict = { key: string; login: RegistryLogin } | { why: string; isFound: boolean };

/** Null: it has no secret, or belongs to no chosen registry. */
function judge(
  { auth, key }: LookUp,
  config: DockerConfig,
  { asked, stored, configured, own, fallback }: PlanQuestions,
  moved: ReadonlyMap<string, RegistryLogin>,
): Verdict | null {
  if (keysOf(auth).length === 0) {
    return null;
  }
  const registries = asked === 'unchanged' ? [] : asked;
  const found = loginOf(auth, key ?? auth.server);
  const helperNow = key === null ? null : helperOf(config, key);
  const isReadable = found.ok || found.dockerReads;
  const isRead = isReadable && helperNow === '';
  const wasRead = isRead || (isReadable && isOwnHelper(helperNow) && fallback === null);
  const named = parseServer(auth.server);
  if (!named.ok) {
    const isOther = registries.length > 0 && !registries.some((each) => each.key === key);
    return isOther ? null : { why: named.message, isFound: wasRead };
  }
  // docker asks a helper for its own key: an entry that has a path is the host’s.
  const asks = key === null || key === hubServer ? named : parseServer(key);
  const { server } = asks.ok ? asks : named;
  if (asked === 'unchanged' && named.server.path !== '') {
    return { why: 'its helper is asked for the host alone', isFound: false };
  }
  const chosen = registries.some((each) => each.server.key === server.key);
  if (registries.length > 0 && !chosen) {
    return null;
  }
  const helper = helperFor(config, chooseRegistry(server)?.key ?? auth.server);
  if (registries.length === 0 && isOtherHelper(helper)) {
    return { why: `docker asks the helper ${visibleText(helper)} for it`, isFound: false };
  }
  const name = configured(server);
  if (name !== null) {
    const why = `the registry ${name} of config.yaml answers for it: take this login out by hand`;
    return { why, isFound: false };
  }
  if (!found.ok) {
    return { why: found.why, isFound: wasRead };
  }
  if (!chosen && key !== null && helperFor(config, key) === '' && !own.includes(key)) {
    return { why: 'credHelpers has an empty helper for it', isFound: true };
  }
  if (named.server.scheme === 'http' && key !== null) {
    return { why: 'it is for http, which docker doesn’t tell a helper', isFound: wasRead };
  }
  const earlier =
    moved.get(server.key) ?? (Object.hasOwn(stored, server.key) ? stored[server.key] : undefined);
  return earlier === undefined || isSame(earlier, found.login)
    ? { key: server.key, login: earlier ?? found.login }
    : {
        why: 'another login for this server is stored already: log out of one of them',
        isFound: isRead,
      };
}

function helperFor({ credHelpers }: DockerConfig, key: string): string | null {
  return Object.hasOwn(credHelpers, key) ? (credHelpers[key] ?? null) : null;
}

export function isOwnHelper(helper: string | null): boolean {
  return helper !== null && isOwnProgram(`${dockerHelperPrefix}${helper}`);
}

/** Whom docker asks for a key. Empty: it reads the file. */
export function helperOf(config: DockerConfig, key: string): string {
  return helperFor(config, key) ?? config.credsStore ?? '';
}

/** An empty one is none: docker then reads the file. */
function isOtherHelper(helper: string | null): helper is string {
  return helper !== null && helper !== '' && !isOwnHelper(helper);
}

function keysOf({ values }: DockerAuth): AuthKey[] {
  return (Object.keys(values) as AuthKey[]).filter((key) => values[key] !== '');
}

/** `dockerReads`: docker finds a login where Lanyard can’t store one. */
type FoundLogin = { ok: true; login: RegistryLogin } | { ok: false; why: string; dockerReads: boolean };

/** As docker reads an entry (cli/config/configfile): an identity token counts before a password. */
function loginOf({ values }: DockerAuth, serverUrl: string): FoundLogin {
  const { auth = '', username = '', password = '', identitytoken = '', registrytoken = '' } = values;
  const login = (userName: string, secret: string): FoundLogin => ({
    ok: true,
    login: { serverUrl, userName, secret: new Secret(secret) },
  });
  if (identitytoken !== '') {
    return login(identityTokenUser, identitytoken);
  }
  if (auth !== '') {
    const bytes = decodeBase64(auth);
    const colon = bytes?.indexOf(':') ?? -1;
    if (bytes === null || colon < 1) {
      return { ok: false, why: 'its auth can’t be read as a user name and a password', dockerReads: false };
    }
    if (!isUtf8(bytes)) {
      const why = 'its user name or password is not UTF-8 text, and credential helpers carry no other';
      return { ok: false, why, dockerReads: true };
    }
    // docker drops zero bytes at both ends of the password.
    const secret = bytes.subarray(colon + 1).toString('utf8');
    return login(bytes.subarray(0, colon).toString('utf8'), secret.replace(/^\0+|\0+$/g, ''));
  }
  if (username !== '' && password !== '') {
    return login(username, password);
  }
  const why = registrytoken === '' ? 'it has no complete login' : registryTokenWhy;
  return { ok: false, why, dockerReads: false };
}

/** Go’s decoder skips line breaks, as `base64` without `-w0` writes them. More lenient: padding may be missing. */
function decodeBase64(text: string): Buffer | null {
  const packed = text.replace(/[\r\n]/g, '').trim();
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(packed);
  return isBase64 ? Buffer.from(packed, 'base64') : null;
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
  const hosts = edit.credHelpers.filter((key) =>
    [dockerHelperName, ''].includes(helperFor(now, key) ?? 'none'),
  );
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
