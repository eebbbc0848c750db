import type { TestHome } from '../../support/home.ts';

const mostAccounts = 10;
const hourSeconds = 3600;

/** `c0001` and so on: in this order in the list, too. */
export const clusterName = (index: number) => `c${String(index).padStart(4, '0')}`;
const accountOf = (index: number) => `team-${index % mostAccounts}`;
const serverOf = (index: number) => `https://${clusterName(index)}.example.com:6443`;
const accountsOf = (clusters: number) => Math.min(mostAccounts, clusters);

/** config.yaml of so many clusters. */
export function manyClusters(count: number): object {
  return {
    version: 1,
    accounts: Object.fromEntries(
      Array.from({ length: accountsOf(count) }, (_, index) => [accountOf(index), { staticToken: {} }]),
    ),
    clusters: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        clusterName(index),
        { server: serverOf(index), account: accountOf(index) },
      ]),
    ),
  };
}

/** Gives each account a token that says itself that it ends in an hour, and asks for it: on any day somebody has. */
export async function setTokens(home: TestHome, clusters: number): Promise<void> {
  const accounts = accountsOf(clusters);
  for (let index = 0; index < accounts; index++) {
    const { code, stderr } = await home.lanyard(['secret', 'set', accountOf(index)], {
      input: hourToken(accountOf(index)),
    });
    if (code !== 0) {
      throw new Error(`no token could be set: ${stderr}`);
    }
    // For those at the list's end: of the others nobody has asked for any yet.
    await ask(home, clusters - accounts + index);
  }
}

function hourToken(subject: string): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [part({ alg: 'none' }), part({ sub: subject, iat: now, exp: now + hourSeconds }), 'c2ln'].join('.');
}

/** The words and the variable with which kubectl would ask for a cluster's credential. */
export function asking(index: number): { words: string[]; env: { KUBERNETES_EXEC_INFO: string } } {
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server: serverOf(index) } },
  };
  return {
    words: ['kube-credential', '--account', accountOf(index), '--cluster', clusterName(index)],
    env: { KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  };
}

/** One call by the helper, as kubectl would make it. */
export async function ask(home: TestHome, index: number): Promise<void> {
  const { words, env } = asking(index);
  const { code, stderr } = await home.lanyard(words, { env });
  if (code !== 0) {
    throw new Error(`the call failed: ${stderr}`);
  }
}
