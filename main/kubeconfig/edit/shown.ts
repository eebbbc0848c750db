/** How a value may be shown to people: as it is, its beginning, an address without its user and query, or not. */
export type Shown = 'whole' | 'short' | 'address' | 'hidden';

/** Keys and positions from the document's root down to a value. */
export type Path = readonly (string | number)[];

/** Replaces `exec` in a path where it runs Lanyard’s own helper, whose arguments are no secrets. */
export const ownExec = '\0own exec';

/**
 * Keys of a kubeconfig (client-go, api/v1). The value of any other key may be anything, such as a template of a user.
 */
const knownRoots: ReadonlySet<unknown> = new Set([
  'apiVersion',
  'kind',
  'clusters',
  'contexts',
  'current-context',
]);

/** What a user may say in the open, by its path below `user`; numbers are written as `*`. All else is hidden. */
const openOfUser: Readonly<Record<string, Shown>> = {
  username: 'whole',
  tokenFile: 'whole',
  'client-certificate': 'whole',
  'client-key': 'whole',
  'client-certificate-data': 'short',
  as: 'whole',
  'as-uid': 'whole',
  'as-groups *': 'whole',
  'auth-provider name': 'whole',
  'exec apiVersion': 'whole',
  'exec command': 'whole',
  'exec interactiveMode': 'whole',
  'exec provideClusterInfo': 'whole',
  'exec installHint': 'whole',
  'exec env * name': 'whole',
};

const openOfClusterOrContext: Readonly<Record<string, Shown>> = {
  server: 'address',
  'proxy-url': 'address',
  'certificate-authority': 'whole',
  'certificate-authority-data': 'short',
  'tls-server-name': 'whole',
  'insecure-skip-tls-verify': 'whole',
  'disable-compression': 'whole',
  cluster: 'whole',
  user: 'whole',
  namespace: 'whole',
};

/** How a value of a kubeconfig may be shown. What is not known to be harmless is hidden. */
export function shownOfKubeconfig(path: Path, value: string): Shown {
  const [root, index, key, ...rest] = path;
  if (!knownRoots.has(root)) {
    return root === 'users' ? shownOfUser(key, rest, index) : 'hidden';
  }
  if (typeof index !== 'number') {
    return 'whole'; // apiVersion, kind, current-context
  }
  if (key === 'name') {
    return 'whole';
  }
  const name = rest.length === 1 ? String(rest[0]) : '';
  const open = Object.hasOwn(openOfClusterOrContext, name) ? openOfClusterOrContext[name] : undefined;
  return open ?? shownByLooks(path, value);
}

function shownOfUser(key: unknown, rest: Path, index: unknown): Shown {
  if (typeof index === 'number' && key === 'name' && rest.length === 0) {
    return 'whole';
  }
  if (key !== 'user') {
    return 'hidden';
  }
  if (rest[0] === ownExec) {
    return 'whole';
  }
  const name = rest.map((each) => (typeof each === 'number' ? '*' : each)).join(' ');
  return (Object.hasOwn(openOfUser, name) ? openOfUser[name] : undefined) ?? 'hidden';
}

const secretKey = /token|passw|secret|key-?data|credential|private|api-?key|authori[sz]ation/i;

/** How a value in an extension may be shown: no secret belongs there, but may be there. */
function shownByLooks(path: Path, value: string): Shown {
  if (path.some((key) => typeof key === 'string' && secretKey.test(key)) || looksLikeSecret(value)) {
    return 'hidden';
  }
  return value.includes('://') ? 'address' : 'whole';
}

/** How a value of config.yaml may be shown: what the user pasted in by mistake is hidden. */
export function shownOfConfig(path: Path, value: string): Shown {
  const key = path.findLast((each) => typeof each === 'string');
  const isChoice = /^(?:id|access|true|false)$/.test(value);
  if ((typeof key === 'string' && secretKey.test(key) && !isChoice) || looksLikeSecret(value)) {
    return 'hidden';
  }
  return value.includes('://') ? 'address' : 'whole';
}

/** A long run of letters and digits, as in tokens and keys; names have dots, dashes and slashes. */
export function looksLikeSecret(value: string): boolean {
  return /-----BEGIN|\beyJ|(?=[A-Za-z0-9+/=_]*\d)(?=[A-Za-z0-9+/=_]*[A-Za-z])[A-Za-z0-9+/=_]{24,}/.test(
    value,
  );
}

/** An address without what may be a secret in it: its user with the password, its query. */
export function openAddress(text: string): string {
  return text.replace(/:\/\/[^\s"']*@/g, '://[hidden]@').replace(/\?[^\s"']+/g, '?[hidden]');
}

/** A comment without what may be a secret in it: all after a word such as `token`, and what looks like one. */
export function openComment(text: string): string {
  const word = secretKey.exec(text);
  const upTo = word ? word.index + word[0].length : text.length;
  const after = text.slice(upTo).trim() === '' ? text.slice(upTo) : ' [hidden]';
  const open = text
    .slice(0, upTo)
    .replace(/[A-Za-z0-9+/=_.~-]{16,}/g, (run) => (/\d/.test(run) ? '[hidden]' : run));
  return openAddress(open) + after;
}
