import type { TestHome } from '../../support/home.ts';

const accounts = 10;
const hourSeconds = 3600;

/** `c0001` and so on: in this order in the list, too. */
export const clusterName = (index: number) => `c${String(index).padStart(4, '0')}`;
const accountOf = (index: number) => `team-${index % accounts}`;
const serverOf = (index: number) => `https://${clusterName(index)}.example.com:6443`;

/** config.yaml of so many clusters. */
export function manyClusters(count: number): object {
  return {
    version: 1,
    accounts: Object.fromEntries(
      Array.from({ length: accounts }, (_, index) => [accountOf(index), { staticToken: {} }]),
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

/** One call by the helper, as kubectl would make it. */
export async function ask(home: TestHome, index: number): Promise<void> {
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server: serverOf(index) } },
  };
  const { code, stderr } = await home.lanyard(
    ['kube-credential', '--account', accountOf(index), '--cluster', clusterName(index)],
    { env: { KUBERNETES_EXEC_INFO: JSON.stringify(info) } },
  );
  if (code !== 0) {
    throw new Error(`the call failed: ${stderr}`);
  }
}
