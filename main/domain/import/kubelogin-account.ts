import { join, normalize } from 'node:path';
import { visibleText } from '../text/visible-text.ts';
import { identifyExec } from './exec-plugin.ts';
import type { KubeExec, KubeUser } from './kubeconfig.ts';
import { type KubeloginFlag, type KubeloginFlags, parseKubeloginFlags } from './kubelogin-flags.ts';
import { kubeloginRedirect } from './kubelogin-redirect.ts';
import { type AccountSources, left, type MadeAccount } from './made-account.ts';
import { isGoogle, oidcEntry } from './oidc-entry.ts';
import { sharedClientNote } from './shared-client.ts';

/** Flags for what Lanyard does automatically, or in its own way. */
const unneeded: readonly KubeloginFlag[] = [
  'force-refresh',
  'token-cache-storage',
  'skip-open-browser',
  'browser-command',
  'authentication-timeout-sec',
  'open-url-after-authentication',
  'oidc-use-pkce',
  'oidc-pkce-method',
  'tls-renegotiation-once',
  'tls-renegotiation-freely',
];

/** Kubelogin's flags as an oidc account; left unchanged where Lanyard would log in differently, or as another user. */
export function kubeloginAccount(
  args: readonly string[],
  env: KubeExec['env'],
  sources: AccountSources,
): MadeAccount {
  const parsed = parseKubeloginFlags(args);
  if (!parsed.ok) {
    return left(`kubelogin has ${parsed.fault}, which Lanyard doesn’t know`);
  }
  const { flags } = parsed;
  const login = loginOf(flags);
  if (!login.ok) {
    return login;
  }
  const variables = variablesOf(env);
  if (!variables.ok) {
    return variables;
  }
  const issuer = flags.text('oidc-issuer-url');
  const params = pairs(flags.all('oidc-auth-request-extra-params'));
  if (params === null) {
    return left('kubelogin’s --oidc-auth-request-extra-params can’t be read');
  }
  const { login_hint: loginHint, ...rest } = params;
  // Kubelogin always says it; only Google needs it.
  const extraParams = { ...(isGoogle(issuer) && { access_type: 'offline' }), ...rest };
  const folder = cacheFolder(flags, env, sources.homeDirectory);
  const username = flags.text('username');
  const dropped = unneeded.filter((flag) => flags.has(flag));
  return oidcEntry(
    {
      issuer,
      clientId: flags.text('oidc-client-id'),
      clientSecret: flags.text('oidc-client-secret'),
      authority: {
        files: flags.all('certificate-authority'),
        data: flags.all('certificate-authority-data'),
      },
      more: {
        ...login.value,
        scopes: [...new Set(['openid', ...flags.all('oidc-extra-scope')])],
        token: flags.isTrue('oidc-use-access-token') ? 'access' : undefined,
        loginHint,
        extraParams: Object.keys(extraParams).length === 0 ? undefined : extraParams,
        ...variables.value,
      },
      // Its cache key (pkg/tokencache/types.go) and its cache: what differs here may be another person.
      apart: {
        ...(folder.path !== usualFolder(sources.homeDirectory) && { [folder.by]: folder.path }),
        ...(username !== null && { '--username': username }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
      },
      notes: [
        ...login.notes,
        'kubelogin’s cached refresh token is not taken: with two owners of one refresh token, each would have the other’s revoked',
        ...sharedClientNotes(flags),
        ...cacheNote(flags, folder.shown),
        ...(dropped.length === 0
          ? []
          : [`not needed any more: ${dropped.map((flag) => `--${flag}`).join(', ')}`]),
      ],
    },
    sources,
  );
}

/** The client itself keeps no session that a login could end. */
function sharedClientNotes(flags: KubeloginFlags): string[] {
  const clientId = flags.text('oidc-client-id');
  return clientId === null || flags.text('grant-type') === 'client-credentials'
    ? []
    : [sharedClientNote(clientId)];
}

/** The client that a user logs in as by kubelogin; null: it runs another program, or kubelogin in an unknown way. */
export function kubeloginClientOf({ exec }: Pick<KubeUser, 'exec'>): KubeloginClient | null {
  const plugin = exec && identifyExec(exec);
  const parsed = plugin?.what === 'kubelogin' ? parseKubeloginFlags(plugin.flags) : null;
  if (!parsed?.ok || parsed.flags.text('grant-type') === 'client-credentials') {
    return null;
  }
  const [issuer, clientId] = [parsed.flags.text('oidc-issuer-url'), parsed.flags.text('oidc-client-id')];
  return issuer === null || clientId === null ? null : { issuer, clientId };
}

export interface KubeloginClient {
  issuer: string;
  clientId: string;
}

/** Its tokens are in plain text on disk, whatever becomes of the user. */
function cacheNote(flags: KubeloginFlags, folder: string): string[] {
  return /^(keyring|none)$/.test(flags.text('token-cache-storage') ?? '')
    ? []
    : [
        `what kubelogin has cached stays in ${visibleText(folder)} in plain text: remove it once the new login works`,
      ];
}

function usualFolder(homeDirectory: string): string {
  return join(homeDirectory, '.kube', 'cache', 'oidc-login');
}

/** Where kubelogin caches: absolute, as it is written, and what says so (its defaults: pkg/cmd/get_token.go). */
function cacheFolder(flags: KubeloginFlags, env: KubeExec['env'], homeDirectory: string) {
  const flag = flags.text('token-cache-dir');
  if (flag !== null) {
    const path = flag.startsWith('~') ? join(homeDirectory, flag.slice(1)) : flag;
    return { path: normalize(path).replace(/[\\/]+$/, ''), shown: flag, by: '--token-cache-dir' };
  }
  const said = (name: string) => env.findLast((each) => each.name === name)?.value.reveal() || null;
  const [cache, home] = [said('KUBECACHEDIR'), said('HOME')];
  if (cache !== null) {
    const path = join(cache, 'oidc-login');
    return { path, shown: path, by: 'KUBECACHEDIR' };
  }
  const path = usualFolder(home ?? homeDirectory);
  return home === null
    ? { path, shown: '~/.kube/cache/oidc-login', by: '' }
    : { path, shown: path, by: 'HOME' };
}

type Part = { ok: true; value: Record<string, unknown>; notes: string[] } | { ok: false; left: string };

/** How kubelogin logs in; its grant types are those in docs/usage.md. */
function loginOf(flags: KubeloginFlags): Part {
  const stays = (why: string): Part => ({ ok: false, left: why });
  if (flags.isTrue('insecure-skip-tls-verify')) {
    return stays(
      'kubelogin doesn’t check the provider’s certificate (--insecure-skip-tls-verify); Lanyard always does',
    );
  }
  if (flags.has('oidc-request-header')) {
    return stays('kubelogin sends its own headers (--oidc-request-header), which may hold secrets');
  }
  const grant = flags.text('grant-type') ?? 'auto';
  if (grant === 'password' || (grant === 'auto' && flags.has('username'))) {
    return stays('kubelogin logs in with a password, which Lanyard never takes');
  }
  switch (grant) {
    case 'device-code':
      return { ok: true, value: { flow: 'device' }, notes: [] };
    case 'client-credentials':
      return flags.isTrue('oidc-use-access-token')
        ? { ok: true, value: { flow: 'clientCredentials' }, notes: [] }
        : stays('kubelogin takes an id token for the client itself; Lanyard takes the access token there');
    case 'auto':
    case 'authcode': {
      if (flags.has('local-server-cert') || flags.has('local-server-key')) {
        return stays(
          'kubelogin’s way back of the login is https (--local-server-cert); Lanyard’s is http on loopback',
        );
      }
      const redirect = kubeloginRedirect(flags);
      return redirect.ok
        ? {
            ok: true,
            value: { flow: grant === 'authcode' ? 'browser' : undefined, ...redirect.value },
            notes: [...redirect.notes],
          }
        : redirect;
    }
    case 'authcode-keyboard':
      return stays(
        'kubelogin has the code of the login typed in by hand (authcode-keyboard), which Lanyard doesn’t do',
      );
    default:
      return stays('kubelogin has a --grant-type that Lanyard doesn’t know');
  }
}

/** The plugin's variables: a proxy applies, others could change the behaviour. */
function variablesOf(env: KubeExec['env']): Part {
  const value: Record<string, unknown> = {};
  for (const { name, value: text } of env) {
    if (/^https_proxy$/i.test(name)) {
      value['proxyUrl'] = text.reveal() || undefined;
    } else if (!/^(KUBECACHEDIR|HOME|TERM|LANG|BROWSER)$/.test(name)) {
      return {
        ok: false,
        left: `kubelogin runs with the variable ${visibleText(name, 80)}, which Lanyard doesn’t know`,
      };
    }
  }
  return { ok: true, value, notes: [] };
}

function pairs(parts: readonly string[]): Record<string, string> | null {
  const entries = parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]);
  return parts.every((part) => part.indexOf('=') > 0) ? Object.fromEntries(entries) : null;
}
