import { dirname, isAbsolute, resolve } from 'node:path';
import { isFile } from '../../domain/import/given-text.ts';
import type { KubeContext, KubeconfigProblem, Origin, ReadJson } from '../../domain/import/kubeconfig.ts';
import { Fields, type Report } from './fields.ts';
import { jsonOf } from './json-of.ts';
import { materialOf } from './material.ts';
import { parseUser } from './parse-user.ts';
import type { ParsedCluster, ParsedKubeconfig } from './parsed-kubeconfig.ts';
import { parseYamlTree } from './yaml-tree.ts';
import type { YamlValue } from './yaml-value.ts';

export interface ParsedText {
  /** Null where there is an error among the problems. */
  kubeconfig: ParsedKubeconfig | null;
  problems: KubeconfigProblem[];
}

/** More would help no one. */
const mostProblems = 20;

/**
 * A kubeconfig's text as kubectl decodes it; `file` is its absolute path, or the name of a given text. Reads no other file. `pageParts`: see
 * `parseYamlTree`.
 */
export function parseKubeconfig(text: string, file: string, pageParts?: number): ParsedText {
  const problems: KubeconfigProblem[] = [];
  const tree = parseYamlTree(text, pageParts);
  const report: Report = (severity, offset, message) => {
    const place = offset === null ? { line: null, column: null } : tree.placeOf(offset);
    if (problems.length < mostProblems || severity === 'error') {
      problems.push({ severity, file, ...place, message });
    }
  };
  for (const { offset, message } of tree.errors) {
    report('error', offset, message);
  }
  for (const { offset, message } of tree.warnings) {
    report('warning', offset, message);
  }
  const kubeconfig = readRoot(tree.root, file, report, (offset) => tree.placeOf(offset).line);
  const errors = problems.filter(({ severity }) => severity === 'error');
  return errors.length > 0
    ? { kubeconfig: null, problems: errors.slice(0, mostProblems) }
    : { kubeconfig, problems };
}

function readRoot(
  root: YamlValue,
  file: string,
  report: Report,
  lineOf: (offset: number) => number,
): ParsedKubeconfig {
  const fields = new Fields(root, 'a kubeconfig', report);
  checkVersion(fields, report);
  // A text that was given is in no folder: a relative path stays as it is, and is not read (named-files.ts).
  const folder = isFile(file) ? dirname(file) : null;
  const absolute = (path: string) => (folder === null || isAbsolute(path) ? path : resolve(folder, path));
  const named = <Entry>(
    list: string,
    body: string,
    read: (name: string, body: Fields, origin: Origin) => Entry,
  ) => {
    const entries = new Map<string, Entry>();
    for (const item of fields.list(list)) {
      const entry = new Fields(item, `an entry of ${list}`, report);
      const name = entry.text('name');
      if (entries.has(name)) {
        const message = `a second entry of this name in ${list}; kubectl refuses such a file. Rename or remove one`;
        report('error', entry.offsetOf('name') ?? item.offset, message);
        continue;
      }
      const content = entry.map(body) ?? nothing;
      checkExtensions(content, report);
      entries.set(name, read(name, content, { file, line: lineOf(item.offset), name }));
    }
    return entries;
  };
  checkExtensions(fields, report);
  const preferences = fields.map('preferences');
  preferences?.flag('colors');
  return {
    currentContext: fields.textOrNull('current-context'),
    clusters: named(
      'clusters',
      'cluster',
      (name, body, origin): ParsedCluster => ({
        name,
        origin,
        server: body.text('server'),
        tlsServerName: body.textOrNull('tls-server-name'),
        insecureSkipTlsVerify: body.flag('insecure-skip-tls-verify'),
        proxyUrl: body.textOrNull('proxy-url'),
        certificateAuthority: materialOf(body, 'certificate-authority', absolute),
        disableCompression: body.flag('disable-compression'),
        execConfig: execConfigOf(body),
      }),
    ),
    contexts: named(
      'contexts',
      'context',
      (name, body, origin): KubeContext => ({
        name,
        origin,
        cluster: body.text('cluster'),
        user: body.text('user'),
        namespace: body.textOrNull('namespace'),
      }),
    ),
    users: named('users', 'user', (name, body, origin) => parseUser(name, origin, body, absolute)),
  };
}

const nothing = new Fields({ offset: 0, kind: 'scalar', value: null }, '', () => undefined);

function checkVersion(fields: Fields, report: Report): void {
  const [apiVersion, kind] = [fields.text('apiVersion'), fields.text('kind')];
  if (apiVersion !== '' && apiVersion !== 'v1') {
    report('error', fields.offsetOf('apiVersion'), 'apiVersion must be v1');
  }
  if (kind !== '' && kind !== 'Config') {
    report('error', fields.offsetOf('kind'), 'kind must be Config: this is not a kubeconfig');
  }
}

/** More has no place in the environment of a plugin beside its CA. */
const execConfigBytes = 64 * 1024;

/** client-go: clientcmd/api's extension for exec plugins (KEP-541). */
function execConfigOf(cluster: Fields): ReadJson | null {
  for (const item of cluster.list('extensions')) {
    const extension = new Fields(item, 'an entry of extensions', cluster.report);
    if (extension.text('name') === 'client.authentication.k8s.io/exec') {
      const value = extension.value('extension');
      return value && jsonOf(value, execConfigBytes);
    }
  }
  return null;
}

/** kubectl refuses a file for them, too. */
function checkExtensions(fields: Fields, report: Report): void {
  const names = new Set<string>();
  for (const item of fields.list('extensions')) {
    const extension = new Fields(item, 'an entry of extensions', report);
    const name = extension.text('name');
    if (names.has(name)) {
      report('error', item.offset, 'a second extension of this name; kubectl refuses such a file');
    }
    names.add(name);
  }
}
