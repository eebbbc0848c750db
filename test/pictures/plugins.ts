import { randomBytes } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import type { KubernetesUser } from '../support/kubernetes-api.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';

/** A wrapped plugin, the program it stands for, and the token that it gives. */
export interface PicturedPlugin {
  plugin: TestPlugin;
  account: { execPlugin: Record<string, unknown> };
  /** The token's user at the API server; null: it gives none. */
  known: { token: string; user: KubernetesUser } | null;
}

/** A plugin whose token was made some minutes ago, and lives for some more. */
export function tokenPlugin(
  command: string,
  args: readonly string[],
  { ago, left, user }: { ago: number; left: number; user: KubernetesUser },
): PicturedPlugin {
  const plugin = makePlugin();
  symlinkSync(plugin.command, command);
  const token = jwt(user, ago, left);
  plugin.answers({ token, expiresIn: Math.round(left * 60) });
  return { plugin, account: plugin.account({ command, args }), known: { token, user } };
}

/** A plugin that fails, with the words of its program. */
export function failingPlugin(command: string, args: readonly string[]): PicturedPlugin {
  const plugin = makePlugin();
  symlinkSync(plugin.command, command);
  plugin.does('exit:1');
  return { plugin, account: plugin.account({ command, args }), known: null };
}

/** As a provider gives it, but for the signature: the test API server knows the token itself. */
function jwt(user: KubernetesUser, minutesAgo: number, minutesLeft: number): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    sub: user.name,
    groups: user.groups,
    iat: now - minutesAgo * 60,
    exp: now + minutesLeft * 60,
  };
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${randomBytes(64).toString('base64url')}`;
}
