/** The words of a mark on a cluster’s timeline. */
const words = {
  rejected: 'Rejected (401)',
  doubted: 'Asked again as after a 401: the server didn’t say so',
  renewalFailed: 'Renewal failed',
  loggedIn: 'Logged in',
  loginFailed: 'Login not completed',
  loggedOut: 'Logged out',
} as const;

export type MarkKind = keyof typeof words;

export function markWords(kind: MarkKind, count: number): string {
  return count === 1 ? words[kind] : `${words[kind]}, ${count.toLocaleString('en-US')} times`;
}

/** How a mark is drawn: a rejection by the server, a failure, or a login or logout. */
export function markShape(kind: MarkKind): 'rejected' | 'failed' | 'login' {
  switch (kind) {
    case 'rejected':
      return 'rejected';
    case 'doubted':
    case 'renewalFailed':
    case 'loginFailed':
      return 'failed';
    case 'loggedIn':
    case 'loggedOut':
      return 'login';
  }
}
