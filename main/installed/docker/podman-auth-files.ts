import { posix, win32 } from 'node:path';

/** The variables that name podman’s files of logins, beside HOME. */
export const podmanAuthVariables = ['REGISTRY_AUTH_FILE', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME'] as const;

/**
 * The files with logins that podman, buildah and skopeo read, in the form of docker’s `auths` (containers-auth.json(5)):
 * the one that they write, then the one that they read beside it.
 */
export function podmanAuthFiles(
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
  {
    platform = process.platform,
    uid = process.getuid?.() ?? null,
  }: { platform?: string; uid?: number | null } = {},
): string[] {
  const { isAbsolute, join, resolve } = platform === 'win32' ? win32 : posix;
  const { REGISTRY_AUTH_FILE: own, XDG_RUNTIME_DIR: runtime, XDG_CONFIG_HOME: xdg, HOME: home } = environment;
  if (own) {
    return [resolve(cwd, own)];
  }
  const base = xdg || (home && join(home, '.config'));
  const lasting = base && isAbsolute(base) ? [join(base, 'containers/auth.json')] : [];
  if (platform !== 'linux') {
    return lasting;
  }
  const session = runtime || (uid === null ? '' : `/run/containers/${uid}`);
  return [
    ...(isAbsolute(session) ? [join(session, runtime ? 'containers/auth.json' : 'auth.json')] : []),
    ...lasting,
  ];
}
