import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CertificateAuthority, certifyPublicKey, createCa } from '../support/certificates.ts';
import { type CertificateServer, startNode, type TlsVersion } from '../support/keys/certificate-servers.ts';
import { KeysHost, type Told } from '../support/keys/keys-host.ts';
import { noTpm, Tpm } from '../support/keys/tpm.ts';
import { findKubectls } from '../support/kubectl.ts';
import { RequestProxy } from '../support/request-proxy.ts';
import { Stage } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** Another PKCS#11 module than SoftHSM: a TPM’s. Its keys were made there, and can’t be taken out. */
let tpm: Tpm;
let ca: CertificateAuthority;
let host: KeysHost | null = null;
const kinds = ['RSA-2048', 'P-256', 'P-384'] as const;
type Kind = (typeof kinds)[number];
const publicKeys = {} as Record<Kind, Buffer<ArrayBuffer>>;
/** RFC 8446, section 4.2.3: tpm2-pkcs11 has no RSA-PSS. */
const schemes = {
  'RSA-2048': { 1025: 'sha256', 1281: 'sha384', 1537: 'sha512' },
  'P-256': { 1027: 'sha256' },
  'P-384': { 1283: 'sha384' },
} as const;

beforeAll(async () => {
  if (noTpm !== null) return;
  tpm = await Tpm.start();
  ca = await createCa('machines');
  tpm.addToken('machine');
  for (const [at, kind] of kinds.entries()) {
    publicKeys[kind] = tpm.makeKey('machine', kind, at + 1, kind);
    tpm.store('machine', kind, at + 1, await certifyPublicKey(ca, 'alice', publicKeys[kind]));
  }
});
afterEach(async () => {
  await host?.dispose();
  host = null;
});
afterAll(() => tpm?.dispose());

async function loaded(): Promise<KeysHost> {
  host = new KeysHost(tpm.env);
  expect(await host.load(tpm.module)).toMatchObject({ tell: 'loaded' });
  return host;
}

describe('lanyard-keys with a TPM', unless(noTpm), () => {
  test('lists what is there', async () => {
    const { slots } = await (await loaded()).order({ do: 'list' });
    const { token } = (slots as Told[]).find((each) => each['token']?.label === 'machine') as Told;
    // The module pads it with NUL.
    expect(token).toMatchObject({ manufacturer: 'IBM', model: 'SW   TPM', serial: '0000000000000000' });
    expect(token.flags).toMatchObject({ loginRequired: true, initialized: true, userPinSet: true });
    expect(token.mechanisms).toEqual(expect.arrayContaining(['RSA_PKCS', 'ECDSA']));
    expect(token.mechanisms).not.toContain('RSA_PKCS_PSS');
    expect(token.keys).toMatchObject([
      { label: 'RSA-2048', id: '01', kind: 'rsa', bits: 2048, curve: null, private: false },
      { label: 'P-256', id: '02', kind: 'ec', bits: 256, curve: 'P-256', private: false },
      { label: 'P-384', id: '03', kind: 'ec', bits: 384, curve: 'P-384', private: false },
    ]);
    expect(token.certificates.map(({ label }: Told) => label)).toEqual([...kinds]);
  });

  test.each(kinds)('signs with %s by each of its schemes', async (kind) => {
    const keys = await loaded();
    const opened = await keys.open({ token: 'machine', model: 'SW   TPM', label: kind });
    expect(opened['schemes']).toEqual(Object.keys(schemes[kind]).map(Number));
    expect(new X509Certificate(opened['chain']).subject).toBe('CN=alice');
    const key = createPublicKey({ key: publicKeys[kind], format: 'der', type: 'spki' });
    const message = Buffer.from('a handshake’s transcript');
    for (const [scheme, hash] of Object.entries(schemes[kind])) {
      const { signature } = await keys.sign(Number(scheme), message);
      expect(verify(hash, message, key, Buffer.from(signature, 'base64'))).toBe(true);
    }
  });

  test('tells a wrong PIN, and opens with the right one in another process', async () => {
    const wrong = await (await loaded()).open({ token: 'machine', label: 'P-256' }, { pin: '9999' });
    expect(wrong).toMatchObject({ tell: 'failed', code: 'pinWrong' });
    await host?.dispose();
    expect(await (await loaded()).open({ token: 'machine', label: 'P-256' })).toMatchObject({
      tell: 'opened',
    });
  });
});

describe('a server that demands a certificate gets one whose key is in a TPM', unless(noTpm), () => {
  let proxy: RequestProxy;
  let server: CertificateServer;
  beforeAll(async () => {
    proxy = await RequestProxy.start();
    await proxy.open();
  });
  afterEach(() => server?.close());
  afterAll(() => proxy?.dispose());

  async function ask(kind: Kind, version: TlsVersion) {
    const keys = await loaded();
    const opened = await keys.open({ token: 'machine', label: kind });
    proxy.signHandshake = async ({ scheme, message }) => {
      const told = await keys.sign(scheme as number, Buffer.from(message as string, 'base64'));
      return { signature: told['signature'] };
    };
    server = await startNode(ca, version);
    await proxy.setClusters({
      prod: {
        server: `https://127.0.0.1:${server.port}`,
        certificateAuthority: ca.certificatePem,
        clientCertificate: {
          certificate: opened['chain'],
          signer: 'machine',
          schemes: opened['schemes'],
        },
      },
    });
    return proxy.ask('/c/prod/');
  }

  test.each([
    ['RSA-2048', '1.2'],
    ['P-256', '1.2'],
    ['P-256', '1.3'],
    ['P-384', '1.2'],
    ['P-384', '1.3'],
  ] as const)('%s, TLS %s', async (kind, version) => {
    expect(await ask(kind, version)).toMatchObject({ status: 200, body: `TLSv${version} alice` });
  });

  test('RSA-2048, TLS 1.3: it needs RSA-PSS, which is said', async () => {
    expect(await ask('RSA-2048', '1.3')).toMatchObject({
      status: 502,
      body: expect.stringContaining('which needs RSA-PSS: the token of the account machine has none'),
    });
  });
});

describe('the whole broker with a TPM', unless(noTpm), () => {
  let stage: Stage;
  afterAll(() => stage?.dispose());

  test('connects kubectl with its certificate once the PIN was given', async () => {
    stage = await Stage.open({
      extend: async (config, { api, home, clientCa }) => {
        const certificate = await certifyPublicKey(clientCa, 'carol', publicKeys['P-256']);
        const env = Object.entries(tpm.env).map(([name, value]) => ({ name, value }));
        config.accounts['machine'] = {
          pkcs11: {
            module: tpm.module,
            uri: 'pkcs11:token=machine;object=P-256',
            certificate: home.write('carol.pem', certificate),
            env,
          },
        };
        config.clusters['machine'] = {
          server: api.server,
          certificateAuthority: home.write('api-ca.pem', api.caPem),
          account: 'machine',
          proxy: {},
        };
      },
    });
    const terminal = stage.onTerminal(['login', 'machine']);
    await terminal.waitForText('PIN of the token machine (not shown): ');
    terminal.send('1234\r');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    const kubeconfig = await stage.writeKubeconfig();
    const words = ['--context', 'machine', 'get', 'pods'];
    expect(await stage.kubectl(findKubectls().newest, kubeconfig, words)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('web-0'),
    });
    expect(stage.api.requests.at(-1)).toMatchObject({ user: 'carol', via: 'certificate' });
  });
});
