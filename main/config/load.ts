import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { AccountConfig } from '../contract/config/accounts/account.ts';
import { type ConfigOf, type ConfiguredKind, groupOf, kindNames } from '../contract/config/config.ts';
import type { CertificateReader } from '../domain/credential/certificate-set.ts';
import { type LoadedConfig, loadedEntries } from '../domain/loaded-config.ts';
import type { ConfigProblem } from '../ports/config-store.ts';
import type { Finding } from './finding.ts';
import { readBounded } from './read-bounded.ts';
import { validateConfig } from './validate.ts';
import { type Path, parseYamlText, type YamlText } from './yaml-text.ts';

/** More are not read, and finding the line of each scans the whole file. */
const problemLimit = 100;

/** The result of one reading of the file. */
export interface LoadResult {
  /** Null where a problem is an error. */
  config: LoadedConfig | null;
  problems: ConfigProblem[];
  /** Absolute paths of the CA files that it names: the store watches them, too. */
  certificateFiles: string[];
  /** The text as parsed, for edits. */
  yaml: YamlText;
}

export interface LoadOptions {
  /** Absolute path of config.yaml. Problems name it, and relative paths are resolved against its folder. */
  file: string;
  /** The folder for `~/`. */
  homeDirectory: string;
  readCertificates: CertificateReader;
}

/**
 * Reads the text of a config.yaml and the CA files that it names. Null is a missing file: an empty config. Doesn’t
 * throw for bad content: `problems` has it.
 */
export function loadConfigText(text: string | null, options: LoadOptions): Promise<LoadResult> {
  return loadConfigYaml(parseYamlText(text ?? 'version: 1\n'), options);
}

/** `loadConfigText` for a text that is already parsed. */
export async function loadConfigYaml(yaml: YamlText, options: LoadOptions): Promise<LoadResult> {
  const problems: ConfigProblem[] = yaml.faults.slice(0, problemLimit).map(({ place, message }) => ({
    severity: 'error',
    file: options.file,
    ...place,
    path: [],
    message,
  }));
  const failed = (): LoadResult => ({ config: null, problems, certificateFiles: [], yaml });
  if (problems.length > 0) {
    return failed();
  }
  let value: unknown;
  try {
    value = yaml.value();
  } catch {
    problems.push(wholeFile(options.file, `too many aliases, or one that is not defined`));
    return failed();
  }
  const { config, findings, authorities, files } = await checkConfigValue(value, options);
  problems.push(...placed(findings, yaml, options.file));
  const loaded = loadedConfig(config, authorities, options);
  const good = problems.every(({ severity }) => severity === 'warning');
  return {
    config: good ? loaded : null,
    problems,
    certificateFiles: files,
    yaml,
  };
}

/** Validates the plain value of a config.yaml, and reads the CA files that it names. */
export async function checkConfigValue(
  value: unknown,
  options: LoadOptions,
): Promise<{
  config: Validated;
  findings: Finding[];
  authorities: ReadonlyMap<string, string>;
  files: string[];
}> {
  const { config, findings } = validateConfig(value);
  const files = new Set<string>();
  const authorities = new Map<string, string>();
  for (const { path, of, file, data } of certificateAuthorities(config)) {
    const absolute = file === undefined ? null : absolutePath(file, options);
    if (absolute !== null) {
      files.add(absolute);
    }
    const read =
      absolute === null
        ? readCertificateData(data ?? '', options.readCertificates)
        : await readCertificateFile(absolute, options.readCertificates);
    if (read.ok) {
      authorities.set(of.join('\n'), read.pem);
    } else {
      const message = `${path.join('.')}: ${read.fault}`;
      findings.push({
        severity: 'error',
        path,
        at: 'value',
        message,
        text: read.fault,
        isMissing: false,
      });
    }
  }
  return { config, findings, authorities, files: [...files] };
}

/** A problem without a line. */
export function wholeFile(file: string, message: string): ConfigProblem {
  return { severity: 'error', file, line: null, column: null, path: [], message };
}

/** `config.yaml:3:5: error: …`, a form that editors and terminals make clickable. */
export function describeProblem(problem: ConfigProblem): string {
  const place = problem.line === null ? '' : `:${problem.line}:${problem.column ?? 1}`;
  return `${problem.file}${place}: ${problem.severity}: ${problem.message}`;
}

function placed(findings: Finding[], yaml: YamlText, file: string): ConfigProblem[] {
  const errorsFirst = findings.toSorted((a, b) => rank(a) - rank(b));
  return errorsFirst
    .slice(0, problemLimit)
    .map(({ severity, path, at, message }) => ({ severity, file, ...yaml.placeOf(path, at), path, message }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

function rank({ severity }: Finding): number {
  return severity === 'error' ? 0 : 1;
}

type Validated = ReturnType<typeof validateConfig>['config'];

/** Where a CA comes from: a file, or PEM in base64. */
interface AuthoritySource {
  /** The path of the key that names it. */
  path: Path;
  /** The entry's place. */
  of: Path;
  file?: string;
  data?: string;
}

function authorityIn(entry: ConfigOf<ConfiguredKind>, of: Path): AuthoritySource[] {
  const path = 'oidc' in entry ? [...of, 'oidc'] : of;
  const { certificateAuthority: file, certificateAuthorityData: data } = (
    'oidc' in entry ? entry.oidc : entry
  ) as { certificateAuthority?: string; certificateAuthorityData?: string };
  if (file !== undefined) {
    return [{ path: [...path, 'certificateAuthority'], of, file }];
  }
  return data === undefined ? [] : [{ path: [...path, 'certificateAuthorityData'], of, data }];
}

function certificateAuthorities(config: Validated): AuthoritySource[] {
  return kindNames()
    .map(groupOf)
    .flatMap((group) =>
      Object.entries(config[group]).flatMap(([name, entry]) => authorityIn(entry, [group, name])),
    );
}

async function readCertificateFile(
  file: string,
  readCertificates: CertificateReader,
): Promise<{ ok: true; pem: string } | { ok: false; fault: string }> {
  const content = await readBounded(file);
  if (content === null) {
    return { ok: false, fault: `there is no file ${file}` };
  }
  if (!content.ok) {
    return content;
  }
  const found = readCertificates(content.text);
  return found.ok
    ? { ok: true, pem: found.pem }
    : { ok: false, fault: `expected PEM certificates in ${file}: ${found.fault}` };
}

function readCertificateData(
  data: string,
  readCertificates: CertificateReader,
): { ok: true; pem: string } | { ok: false; fault: string } {
  const found = readCertificates(Buffer.from(data, 'base64').toString('utf8'));
  return found.ok
    ? { ok: true, pem: found.pem }
    : { ok: false, fault: `expected base64 of PEM certificates: ${found.fault}` };
}

/** Resolves a path of config.yaml: `~/` is the home folder, a relative path counts from config.yaml’s folder. */
function absolutePath(path: string, { file, homeDirectory }: LoadOptions): string {
  if (path === '~' || path.startsWith('~/')) {
    return join(homeDirectory, path.slice(1));
  }
  return isAbsolute(path) ? resolve(path) : resolve(dirname(file), path);
}

/** The loaded form of a validated config: paths absolute, CAs read. */
export function loadedConfig(
  config: Validated,
  authorities: ReadonlyMap<string, string>,
  options: LoadOptions,
): LoadedConfig {
  const absolute = (path: string) => absolutePath(path, options);
  const entries = loadedEntries(<Kind extends ConfiguredKind>(kind: Kind) => {
    const group = config[groupOf(kind)] as Record<string, ConfigOf<Kind>>;
    return new Map(
      Object.entries(group).map(([name, entry]) => {
        const certificateAuthorityPem = authorities.get(`${groupOf(kind)}\n${name}`) ?? null;
        return [name, { name, config: withPaths[kind](entry, absolute), certificateAuthorityPem }];
      }),
    );
  });
  const { lock, history, metrics, appearance, notifications, updates, terminal } = config;
  return { ...entries, settings: { lock, history, metrics, appearance, notifications, updates, terminal } };
}

/** An entry with its paths absolute. */
const withPaths: {
  [Kind in ConfiguredKind]: (config: ConfigOf<Kind>, absolute: (path: string) => string) => ConfigOf<Kind>;
} = {
  account: accountWithPaths,
  cluster: (cluster, absolute) => pathsIn(cluster, ['certificateAuthority'], absolute),
  registry: (registry) => registry,
  inventory: (inventory, absolute) =>
    inventory.files === undefined ? inventory : { ...inventory, files: inventory.files.map(absolute) },
};

function accountWithPaths(account: AccountConfig, absolute: (path: string) => string): AccountConfig {
  if ('oidc' in account) {
    return { oidc: pathsIn(account.oidc, ['certificateAuthority', 'clientAssertionFile'], absolute) };
  }
  if ('staticToken' in account) {
    return { staticToken: pathsIn(account.staticToken, ['file'], absolute) };
  }
  if ('execPlugin' in account) {
    return { execPlugin: withCommand(account.execPlugin, absolute) };
  }
  if ('awsProcess' in account) {
    return { awsProcess: withCommand(account.awsProcess, absolute) };
  }
  if ('requestSigner' in account) {
    return { requestSigner: withCommand(account.requestSigner, absolute) };
  }
  if ('pkcs11' in account) {
    return { pkcs11: pathsIn(account.pkcs11, ['module', 'certificate'], absolute) };
  }
  if ('aws' in account) {
    const { webIdentity, ...others } = pathsIn(account.aws, ['credentialsFile'], absolute);
    return {
      aws: { ...others, ...(webIdentity && { webIdentity: pathsIn(webIdentity, ['tokenFile'], absolute) }) },
    };
  }
  if ('credentialProvider' in account) {
    return { credentialProvider: withCommand(account.credentialProvider, absolute) };
  }
  if (!('clientCertificate' in account)) {
    return account;
  }
  const files = pathsIn(account.clientCertificate, ['certificateFile', 'keyFile'], absolute);
  return { clientCertificate: files };
}

/**
 * A bare name is found by the search path at each run. An absolute path stays as written: the system resolves `..` and a
 * slash at the end, as for kubectl.
 */
function withCommand<T extends { command: string }>(plugin: T, absolute: (path: string) => string): T {
  const { command } = plugin;
  const stays = isAbsolute(command) || !/[/\\]/.test(command);
  return { ...plugin, command: stays ? command : absolute(command) };
}

function pathsIn<T extends object>(value: T, keys: (keyof T)[], absolute: (path: string) => string): T {
  const result = { ...value };
  for (const key of keys) {
    const path = result[key];
    if (typeof path === 'string') {
      Object.assign(result, { [key]: absolute(path) });
    }
  }
  return result;
}
