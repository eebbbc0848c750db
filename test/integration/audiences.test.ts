import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { credentialIn, Stage } from '../support/stage.ts';

/** Token exchange (RFC 8693) with all parts real: provider, broker, helper, kubectl, and a cluster that wants `near`. */
let stage: Stage;
let near: KubernetesApi;

beforeAll(async () => {
  stage = await Stage.open({
    provider: { exchangeAudiences: ['near'] },
    extend: async ({ clusters }, { provider, home }) => {
      const { issuer, jwksUri, caPem } = provider;
      near = await startKubernetesApi({ oidc: { issuer, jwksUri, caPem, audience: 'near' } });
      const certificateAuthority = home.write('near-ca.pem', near.caPem);
      clusters['near'] = { server: near.server, certificateAuthority, account: 'corp', audience: 'near' };
      clusters['far'] = { ...clusters['prod'], audience: 'far' };
    },
  });
  await stage.logIn();
});
afterAll(async () => {
  await near?.dispose();
  await stage?.dispose();
});

const askNear = () => {
  const certificateAuthority = Buffer.from(near.caPem).toString('base64');
  const cluster = { server: near.server, 'certificate-authority-data': certificateAuthority };
  return stage.ask('corp', stage.execInfo({ cluster }), { args: ['--cluster', 'near'] });
};
const askFar = () => stage.ask('corp', stage.execInfo(), { args: ['--cluster', 'far'] });

async function expiryOf(cluster: string): Promise<number | null> {
  const { stdout } = await stage.lanyard(['metrics']);
  const series = new RegExp(
    `^lanyard_credential_expiry_seconds\\{cluster="${cluster}",account="corp"\\} (\\d+)$`,
    'm',
  );
  const seconds = series.exec(stdout)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

test('KEP-541/standard-protocols: kubectl reaches a cluster with its own audience, by one exchange for many calls', async () => {
  expect(await expiryOf('near')).toBeNull();
  const { newest } = findKubectls();
  const kubeconfig = await stage.writeKubeconfig(execVersion(newest));
  const pods = await stage.kubectl(newest, kubeconfig, ['--context', 'near', 'get', 'pods', '-o', 'name']);
  expect(pods).toMatchObject({ code: 0, stdout: expect.stringContaining('pod/') });
  const { token = '' } = credentialIn(await askNear());
  expect(decodeJwt(token)).toMatchObject({ aud: 'near' });
  expect(stage.provider.tokenExchange?.records).toHaveLength(1);
  // What is held for the cluster is what counts, not the account's own token.
  const { clusters } = await stage.status();
  const { exp = 0 } = decodeJwt(token);
  expect(clusters).toContainEqual(expect.objectContaining({ name: 'near', expiresAt: exp * 1000 }));
  expect(await expiryOf('near')).toBeGreaterThan(0);
  const history = await stage.lanyard(['history', 'near', '--json']);
  expect(JSON.parse(history.stdout)).toMatchObject({ expiresAt: exp * 1000 });
});

test('an audience that the provider denies: said with the cluster, and nothing is cached for it', async () => {
  const done = await askFar();
  expect(done).toMatchObject({ code: 16, stdout: '', stderr: expect.stringContaining('far') });
  expect(await expiryOf('far')).toBeNull();
  expect((await stage.lanyard(['history', 'far'])).stdout).not.toContain('expires in');
  // The account's own cluster has its token all the same.
  const own = await stage.ask('corp', stage.execInfo(), { args: ['--cluster', 'prod'] });
  expect(credentialIn(own).token).toBeDefined();
});

test('a logout takes the exchanged token away, too', async () => {
  expect((await stage.lanyard(['logout', 'corp'])).code).toBe(0);
  expect((await askNear()).code).toBe(15);
  expect(await expiryOf('near')).toBeNull();
});
