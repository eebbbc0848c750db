import { dirname, isAbsolute, resolve } from 'node:path';
import type { KubeUser, MergedKubeconfig, Origin } from '../../main/domain/import/kubeconfig.ts';

type Fields = Record<string, unknown>;
type Named = { name: string } & Record<string, Fields>;

/** What kubectl shows, without what it leaves out when it is empty. */
function entriesOf(list: Named[] | null, body: string, change: (fields: Fields, name: string) => Fields) {
  const entries = (list ?? []).map((each) => [each.name, change(each[body] ?? {}, each.name)] as const);
  return new Map(entries);
}

function without(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}

/** A path as kubectl shows it is relative to the file it came from: to the one that is said to be its origin here. */
function at(origin: Origin | undefined, path: unknown): unknown {
  return typeof path === 'string' && path !== '' && !isAbsolute(path) && origin
    ? resolve(dirname(origin.file), path)
    : path;
}

/** Base64 as it is decoded: kubectl writes it anew. */
function asBase64(content: string | null): string | null {
  return content && Buffer.from(content).toString('base64');
}

type Material = { path: string | null } & ({ ok: true; pem: string } | { ok: false; fault: string });

function material(key: string, value: Material | null, flat: boolean): Fields {
  const shown = flat || value?.path === null;
  return {
    [key]: shown ? null : (value?.path ?? null),
    [`${key}-data`]: shown && value?.ok ? asBase64(value.pem) : null,
  };
}

/** What was read, in the words of `kubectl config view`; `flat`: with `--flatten`, files’ contents in place of paths. */
export function asShown(merged: MergedKubeconfig, flat: boolean) {
  const key = (value: KubeUser['clientKey']): Material | null => {
    return value?.ok ? { ...value, pem: value.pem.reveal() } : value;
  };
  return {
    currentContext: merged.currentContext?.name ?? '',
    clusters: new Map(
      [...merged.clusters].map(([name, each]) => [
        name,
        without({
          server: each.server,
          'tls-server-name': each.tlsServerName,
          'insecure-skip-tls-verify': each.insecureSkipTlsVerify || null,
          'proxy-url': each.proxyUrl,
          execConfig: each.execConfig?.ok ? each.execConfig.value : null,
          ...material('certificate-authority', each.certificateAuthority, flat),
        }),
      ]),
    ),
    contexts: new Map(
      [...merged.contexts].map(([name, { cluster, user, namespace }]) => [
        name,
        without({ cluster, user, namespace }),
      ]),
    ),
    users: new Map(
      [...merged.users].map(([name, each]) => [
        name,
        without({
          token: each.token?.reveal() ?? null,
          tokenFile: each.tokenFile?.path ?? null,
          username: each.username,
          password: each.password?.reveal() ?? null,
          impersonates: each.impersonates || null,
          'auth-provider': each.authProvider && {
            name: each.authProvider.name,
            config: Object.fromEntries(
              Object.entries(each.authProvider.config).map(([name, value]) => [name, value.reveal()]),
            ),
          },
          exec: each.exec && {
            apiVersion: each.exec.apiVersion,
            command: each.exec.command,
            args: each.exec.args.map((arg) => arg.reveal()),
            env: each.exec.env.map(({ name, value }) => ({ name, value: value.reveal() })),
            installHint: each.exec.installHint,
            provideClusterInfo: each.exec.provideClusterInfo,
          },
          ...material('client-certificate', each.clientCertificate, flat),
          ...material('client-key', key(each.clientKey), flat),
        }),
      ]),
    ),
  };
}

function execConfigIn(extensions: unknown): unknown {
  const list = (extensions ?? []) as { name: string; extension: unknown }[];
  return list.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension ?? null;
}

/** What kubectl showed, as `asShown()` tells it. `merged` says whose file a path is relative to. */
export function shownByKubectl(shown: Record<string, never>, merged: MergedKubeconfig) {
  const dataFirst = (fields: Fields, key: string, origin: Origin | undefined): Fields => {
    const data = fields[`${key}-data`];
    return { [key]: data ? null : at(origin, fields[key]), [`${key}-data`]: data };
  };
  return {
    currentContext: shown['current-context'],
    clusters: entriesOf(shown['clusters'] ?? null, 'cluster', (fields, name) => {
      const { extensions, ...rest } = fields;
      const { origin } = merged.clusters.get(name) ?? {};
      const execConfig = execConfigIn(extensions);
      return without({ ...rest, execConfig, ...dataFirst(rest, 'certificate-authority', origin) });
    }),
    contexts: entriesOf(shown['contexts'] ?? null, 'context', without),
    users: entriesOf(shown['users'] ?? null, 'user', (fields, name) => {
      const { origin } = merged.users.get(name) ?? {};
      const { as, 'as-groups': groups, 'as-user-extra': extra, extensions, ...known } = fields;
      const { exec, 'auth-provider': provider, ...rest } = known;
      const command = exec && (exec as { command: string }).command;
      return without({
        ...rest,
        tokenFile: at(origin, fields['tokenFile']),
        impersonates: as || groups || extra ? true : null,
        'auth-provider': provider && { name: '', config: {}, ...without(provider as Fields) },
        exec: exec && {
          apiVersion: (exec as Fields)['apiVersion'] ?? null,
          command: String(command).includes('/') ? at(origin, command) : command,
          args: (exec as Fields)['args'] ?? [],
          env: (exec as Fields)['env'] ?? [],
          installHint: (exec as Fields)['installHint'] || null,
          provideClusterInfo: (exec as Fields)['provideClusterInfo'] ?? false,
        },
        ...dataFirst(fields, 'client-certificate', origin),
        ...dataFirst(fields, 'client-key', origin),
      });
    }),
  };
}
