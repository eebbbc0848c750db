import { createHash } from 'node:crypto';
import type { Secret } from '../../base/secret.ts';
import {
  type AccountConfig,
  type ExecPluginConfig,
  execPluginAccount,
  oidcAccount,
} from '../../contract/config/config.ts';
import type { LoadedAccount } from '../loaded-config.ts';
import type { ProgramsOf } from '../program/program.ts';
import { authorityKey } from './authority-key.ts';
import type { MadeAccount } from './made-account.ts';

/** What makes two accounts the same for an import; as text, with digests in place of secrets. */
export interface AccountKeys {
  /** Null: it has no secret where it needs one, and is like no other. */
  whole: string | null;
  /** Without the client's secret: an account may have got one since. Null where that makes another account. */
  withoutSecret: string | null;
}

/** The keys of an account that is in config.yaml; `secrets` are the vault's for it. */
export function keysOfLoaded(
  { config, certificateAuthorityPem }: LoadedAccount,
  secrets: Readonly<Record<string, Secret>>,
  programOf: ProgramsOf,
): AccountKeys {
  return keysOf(config, certificateAuthorityPem, secrets, programOf);
}

/** The keys of what an import made. */
export function keysOfMade(made: Extract<MadeAccount, { ok: true }>, programOf: ProgramsOf): AccountKeys {
  return keysOf(asLoaded(made.value), made.authorityPem, made.secrets, programOf);
}

/** With what is said of it by default. */
function asLoaded(value: Extract<MadeAccount, { ok: true }>['value']): AccountConfig {
  if ('oidc' in value) {
    return { oidc: oidcAccount.parse(value.oidc) };
  }
  return 'execPlugin' in value
    ? { execPlugin: execPluginAccount.parse(value.execPlugin) }
    : (value as AccountConfig);
}

/**
 * Of an oidc account what an import can say of whom it logs in and where; what a person may have added since (a proxy,
 * headers, a hint) makes no other account of it.
 */
function keysOf(
  config: AccountConfig,
  authorityPem: string | null,
  secrets: Readonly<Record<string, Secret>>,
  programOf: ProgramsOf,
): AccountKeys {
  const part = (name: string) => (Object.hasOwn(secrets, name) ? digest(secrets[name]) : null);
  if ('oidc' in config) {
    const { issuer, clientId, scopes, token, flow, extraParams } = config.oidc;
    const said = [
      'oidc',
      issuer,
      clientId,
      [...new Set(scopes)].sort(),
      token,
      flow === 'clientCredentials',
      Object.entries(extraParams).sort(([a], [b]) => (a < b ? -1 : 1)),
      authorityKey(authorityPem),
    ];
    return { whole: JSON.stringify([...said, part('clientSecret')]), withoutSecret: JSON.stringify(said) };
  }
  if ('staticToken' in config) {
    const { file } = config.staticToken;
    const by = file === undefined ? part('token') : ['file', file];
    return { whole: by === null ? null : JSON.stringify(['staticToken', by]), withoutSecret: null };
  }
  if ('execPlugin' in config) {
    const { env } = config.execPlugin;
    const values = env.map(({ name, value }) => [
      name,
      value ?? null,
      value === undefined ? part(`env.${name}`) : null,
    ]);
    const isMissing = values.some(([, value, secret]) => value === null && secret === null);
    const said = ['execPlugin', ...whatRuns(config.execPlugin, programOf), values];
    return { whole: isMissing ? null : JSON.stringify(said), withoutSecret: null };
  }
  const { certificateFile, keyFile } = config.clientCertificate;
  const pair = [part('certificate'), part('key')];
  const by = certificateFile === undefined ? pair : ['file', certificateFile, keyFile ?? null];
  return {
    whole: by[0] === null || by[1] === null ? null : JSON.stringify(['clientCertificate', ...by]),
    withoutSecret: null,
  };
}

/**
 * Of a plugin what a kubeconfig says of it, and what its name leads to: another PATH makes no other account of it where
 * it finds the same program. How it is kept, shared and pinned a person may have said since.
 */
function whatRuns(plugin: ExecPluginConfig, programOf: ProgramsOf): unknown[] {
  const { apiVersion, command, args, provideClusterInfo, interactiveMode, searchPath } = plugin;
  const found = programOf(command, searchPath ?? null);
  const program = /[/\\]/.test(command) || found?.kind !== 'program' ? null : found.path;
  return [apiVersion, command, args, provideClusterInfo, interactiveMode ?? null, program];
}

function digest(secret: Secret | undefined): string {
  return createHash('sha256')
    .update(secret?.reveal() ?? '')
    .digest('base64');
}
