import { createHash } from 'node:crypto';
import type { Secret } from '../../base/secret.ts';
import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import { type ExecPluginConfig, execPluginAccount } from '../../contract/config/accounts/exec-plugin.ts';
import { oidcAccount } from '../../contract/config/accounts/oidc.ts';
import type { LoadedAccount } from '../loaded-config.ts';
import type { ProgramsOf } from '../program/program.ts';
import { authorityKey } from './authority-key.ts';
import type { MadeAccount } from './made-account.ts';

/** What makes two accounts equal for an import, as text with digests in place of secrets. */
export interface AccountKeys {
  /** Null: it lacks a secret that it needs, and equals no other. */
  whole: string | null;
  /** Without the client's secret: an account may have got one since. Null where that makes another account. */
  withoutSecret: string | null;
}

/** The keys of an account in config.yaml; `secrets` are the vault's for it. */
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

/** With the default values filled in. */
function asLoaded(value: Extract<MadeAccount, { ok: true }>['value']): AccountConfig {
  if ('oidc' in value) {
    return { oidc: oidcAccount.parse(value.oidc) };
  }
  return 'execPlugin' in value
    ? { execPlugin: execPluginAccount.parse(value.execPlugin) }
    : (value as AccountConfig);
}

/**
 * What an import can say of an oidc account's provider and client; what the user may have added since (a proxy,
 * headers, a hint) doesn't make it another account.
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
      flow === 'clientCredentials' || flow === 'serviceAccountToken' ? flow : null,
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
  if (!('clientCertificate' in config)) {
    // No kubeconfig has one.
    return { whole: null, withoutSecret: null };
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
 * What a kubeconfig says of a plugin, and the program that its name resolves to: another PATH doesn't make it another
 * account where it finds the same program. The user may have changed since how it is cached, shared and pinned.
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
