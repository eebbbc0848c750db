/**
 * What each plugin gets of the broker's own environment, besides PATH: the locations of the user's files, and
 * proxies.
 */
const names = [
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'TZ',
  'TMPDIR',
  'SSH_AUTH_SOCK',
  // Windows finds nothing without these.
  'SYSTEMROOT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'TEMP',
];
const prefixes = ['XDG_', 'LC_'];
const proxies = ['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'];

/**
 * Variables about the user's session: a plugin at a terminal gets them from there, and its answer doesn't depend on
 * them.
 */
export const terminalVariables = [
  'TERM',
  'COLORTERM',
  'LANG',
  'LC_*',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
] as const;

/**
 * The fixed base of a run whose answer is shared: the same for all who get the answer. At a lent terminal without
 * what comes from there (rule: cleared-environment).
 */
export function baseEnvironment(
  broker: Readonly<Record<string, string | undefined>>,
  searchPath: string,
  terminal: boolean,
): Record<string, string> {
  const isBase = (name: string) =>
    names.includes(name) ||
    prefixes.some((prefix) => name.startsWith(prefix)) ||
    proxies.includes(name) ||
    proxies.includes(name.toLowerCase());
  const isTheirs = (name: string) => name === 'LANG' || name.startsWith('LC_');
  const base = Object.entries(broker).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && isBase(entry[0]) && !(terminal && isTheirs(entry[0])),
  );
  return { ...Object.fromEntries(base), PATH: searchPath, ...(!terminal && { TERM: 'dumb' }) };
}
