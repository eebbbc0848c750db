import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { buildGo, findGo } from '../support/go.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { mustBeGood } from '../support/stage.ts';

const go = findGo();
const why = go.ok ? (process.env['LANYARD_REAL'] === '1' ? null : 'only with --long') : go.why;
if (why !== null) {
  process.stderr.write(`skipped: Amazon’s ecr-credential-provider: ${why}\n`);
}

const host = '123456789012.dkr.ecr.eu-central-1.amazonaws.com';
const secretKey = 'secret-key-canary';

/** Amazon’s own plugin (cloud-provider-aws), with a stand-in for ECR’s API: it answers, and checks no signature. */
describe.skipIf(why !== null)('Amazon’s ecr-credential-provider', () => {
  let home: TestHome;
  let agent: TestAgent;
  const requests: { target: unknown; signedBy: unknown }[] = [];
  let status = 200;
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request);
    requests.push({ target: request.headers['x-amz-target'], signedBy: request.headers.authorization });
    expect(body).not.toContain(secretKey);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(
      JSON.stringify(
        status === 200
          ? {
              authorizationData: [
                {
                  authorizationToken: Buffer.from('AWS:of-the-registry').toString('base64'),
                  expiresAt: Date.now() / 1000 + 12 * 3600,
                  proxyEndpoint: `https://${host}`,
                },
              ],
            }
          : { __type: 'AccessDeniedException', message: 'no identity-based policy allows it' },
      ),
    );
  });

  beforeAll(async () => {
    const command = await buildGo(go.ok ? go.path : '', 'ecr-credential-provider', {
      module: join(import.meta.dirname, '..', 'support', 'ecr'),
      of: 'k8s.io/cloud-provider-aws/cmd/ecr-credential-provider',
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    home = makeHome();
    home.writeConfig({
      version: 1,
      accounts: {
        ecr: {
          credentialProvider: {
            apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
            command,
            args: ['get-credentials'],
            env: [
              { name: 'AWS_REGION', value: 'eu-central-1' },
              { name: 'AWS_ENDPOINT_URL', value: `http://127.0.0.1:${port}` },
              { name: 'AWS_EC2_METADATA_DISABLED', value: 'true' },
              { name: 'AWS_ACCESS_KEY_ID', value: 'AKIDEXAMPLE' },
              { name: 'AWS_SECRET_ACCESS_KEY' },
            ],
          },
        },
      },
      registries: { ecr: { matchImages: ['*.dkr.ecr.*.amazonaws.com'], account: 'ecr' } },
    });
    agent = await startAgent({ home, passphrase: 'of the registry' });
    mustBeGood(await home.lanyard(['secret', 'set', 'ecr/env.AWS_SECRET_ACCESS_KEY'], { input: secretKey }));
  }, 700_000);
  afterAll(async () => {
    await agent?.dispose();
    home?.dispose();
    server.close();
  });

  const ask = (image: string) =>
    run(join(home.path, 'bin', 'lanyard-credential-provider'), [], {
      env: home.env,
      input: JSON.stringify({
        kind: 'CredentialProviderRequest',
        apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
        image,
      }),
    });

  test('signs with the secret of the vault, once for all images of the registry', async () => {
    for (const image of [`${host}/team/app`, `${host}/team/other`]) {
      const { stdout } = await ask(image);
      expect(JSON.parse(stdout).auth).toEqual({ [host]: { username: 'AWS', password: 'of-the-registry' } });
    }
    expect(requests).toEqual([
      {
        target: 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken',
        signedBy: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//),
      },
    ]);
  });

  test('says why Amazon denies it, and no secret', async () => {
    status = 400;
    const { code, stdout, stderr } = await ask(`${host.replace('eu-central-1', 'us-east-1')}/team/app`);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/exit status 1: .*AccessDenied/);
    expect(stdout + stderr).not.toMatch(/canary/);
  });
});
