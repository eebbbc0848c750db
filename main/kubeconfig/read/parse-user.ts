import { sep } from 'node:path';
import { Secret } from '../../base/secret.ts';
import type { KubeExec, KubeUser, Origin } from '../../domain/import/kubeconfig.ts';
import { Fields } from './fields.ts';
import { materialOf } from './material.ts';
import type { ParsedUser } from './parsed-kubeconfig.ts';

/** The keys of a user that client-go has (tools/clientcmd/api/v1, AuthInfo). */
const knownKeys: ReadonlySet<string> = new Set([
  ...['client-certificate', 'client-certificate-data', 'client-key', 'client-key-data'],
  ...['token', 'tokenFile', 'username', 'password', 'auth-provider', 'exec', 'extensions'],
  ...['as', 'as-uid', 'as-groups', 'as-user-extra'],
]);

/** A user's entry; `absolute` makes a path of it absolute. */
export function parseUser(
  name: string,
  origin: Origin,
  body: Fields,
  absolute: (path: string) => string,
): ParsedUser {
  const tokenFile = body.textOrNull('tokenFile');
  return {
    name,
    origin,
    token: body.secretOrNull('token'),
    tokenFile: tokenFile === null ? null : absolute(tokenFile),
    clientCertificate: materialOf(body, 'client-certificate', absolute),
    clientKey: materialOf(body, 'client-key', absolute),
    username: body.textOrNull('username'),
    password: body.secretOrNull('password'),
    impersonates: impersonates(body),
    authProvider: authProvider(body),
    exec: exec(body, absolute),
    unknownKeys: body.keys.filter((key) => !knownKeys.has(key)),
  };
}

function impersonates(body: Fields): boolean {
  // Each is read, so that a wrong type is found.
  const extra = body.map('as-user-extra');
  const values = extra?.keys.flatMap((key) => extra.texts(key)) ?? [];
  const groups = body.texts('as-groups');
  const [user, uid] = [body.text('as'), body.text('as-uid')];
  return user !== '' || uid !== '' || groups.length > 0 || values.length > 0;
}

function authProvider(body: Fields): KubeUser['authProvider'] {
  const provider = body.map('auth-provider');
  if (!provider) {
    return null;
  }
  const config = provider.map('config');
  const entries = config?.keys.map((key) => [key, new Secret(config.text(key))] as const) ?? [];
  return { name: provider.text('name'), config: Object.fromEntries(entries) };
}

function exec(body: Fields, absolute: (path: string) => string): KubeExec | null {
  const fields = body.map('exec');
  if (!fields) {
    return null;
  }
  const command = fields.text('command');
  return {
    apiVersion: fields.textOrNull('apiVersion'),
    // A bare name is looked for on PATH (client-go, GetAuthInfoFileReferences).
    command: command.includes(sep) ? absolute(command) : command,
    args: fields.texts('args').map((arg) => new Secret(arg)),
    env: fields.list('env').map((item) => {
      const variable = new Fields(item, 'an entry of env', fields.report);
      return { name: variable.text('name'), value: new Secret(variable.text('value')) };
    }),
    installHint: fields.textOrNull('installHint'),
    provideClusterInfo: fields.flag('provideClusterInfo'),
    interactiveMode: fields.textOrNull('interactiveMode'),
  };
}
