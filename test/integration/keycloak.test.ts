import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Keycloak, type Realm, startKeycloak } from '../support/keycloak/index.ts';
import { findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { mustBeGood, Stage } from '../support/stage.ts';

/** Logins at a real Keycloak, through the broker, the helper and kubectl. */
const { newest } = findKubectls();

describe.skipIf(process.env['LANYARD_REAL'] !== '1')('Keycloak (with LANYARD_REAL=1)', () => {
  let keycloak: Keycloak;
  let why: string | null = null;
  let realm: Realm;
  let api: KubernetesApi;
  let stage: Stage;

  beforeAll(async () => {
    const started = await startKeycloak();
    if (!started.ok) {
      why = started.why;
      return;
    }
    keycloak = started;
    realm = await keycloak.makeRealm('main');
    const { issuer, jwksUri, clientId } = realm;
    api = await startKubernetesApi({ oidc: { issuer, jwksUri, audience: clientId, caPem: keycloak.caPem } });
    stage = await Stage.open({
      extend: ({ accounts, clusters }, { home }) => {
        const certificateAuthority = home.write('keycloak-ca.pem', keycloak.caPem);
        accounts['kc'] = { oidc: { issuer, clientId, certificateAuthority } };
        const api_ca = home.write('keycloak-cluster-ca.pem', api.caPem);
        clusters['kc-prod'] = { server: api.server, certificateAuthority: api_ca, account: 'kc' };
      },
    });
  }, 900_000);
  afterAll(async () => {
    await stage?.dispose();
    await api?.dispose();
    await keycloak?.dispose();
  });

  test('a login by device code, and kubectl gets pods', async ({ skip }) => {
    skip(why !== null, why ?? '');
    const { running, code } = await stage.beginLogin('kc');
    await realm.person.approveDevice(code);
    mustBeGood(await running.ended);
    const kubeconfig = await stage.writeKubeconfig();
    mustBeGood(await stage.kubectl(newest, kubeconfig, ['--context', 'kc-prod', 'get', 'pods']));
    expect(api.requests.at(-1)).toMatchObject({ via: 'token', status: 200 });
  });
});
