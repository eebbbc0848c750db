import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { goPath, installGo, whyNoGo } from '../support/go.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { mustBeGood } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** AWS’s own, of the Kubernetes release that the kubelet’s code is of. */
const source = 'k8s.io/cloud-provider-aws/cmd/ecr-credential-provider';
const version = 'v1.37.0';

const why = whyNoGo();

const group = 'credentialprovider.kubelet.k8s.io';
const host = '123456789012.dkr.ecr.eu-west-1.amazonaws.com';

/** AWS’s own provider plugin as an account, with a stand-in for ECR’s API behind AWS_ENDPOINT_URL. */
describe('ecr-credential-provider', unless(why), () => {
  let home: TestHome;
  let agent: TestAgent;
  let aws: Server;
  let links: string;
  const asked: IncomingMessage[] = [];

  beforeAll(async () => {
    const built = await installGo(goPath(), source, version);
    aws = createServer((request, response) => {
      asked.push(request.resume());
      const authorizationToken = Buffer.from('AWS:ecr-canary').toString('base64');
      const expiresAt = Math.floor(Date.now() / 1000) + 43_200;
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      response.end(
        JSON.stringify({
          authorizationData: [{ authorizationToken, expiresAt, proxyEndpoint: `https://${host}` }],
        }),
      );
    });
    await new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve));
    home = makeHome();
    links = join(home.outside, 'bin');
    mkdirSync(links);
    symlinkSync(builtHelper, join(links, 'docker-credential-lanyard'));
    // No other user can write there.
    const command = join(home.outside, 'ecr-credential-provider');
    copyFileSync(built, command);
    chmodSync(command, 0o755);
    const provider = (env: object[]) => ({
      credentialProvider: { apiVersion: `${group}/v1`, command, args: ['get-credentials'], env },
    });
    const endpoint = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;
    home.writeConfig({
      version: 1,
      accounts: {
        ecr: provider([
          { name: 'AWS_ENDPOINT_URL', value: endpoint },
          { name: 'AWS_ACCESS_KEY_ID', value: 'AKIDEXAMPLE' },
          { name: 'AWS_SECRET_ACCESS_KEY' },
        ]),
        without: provider([{ name: 'AWS_EC2_METADATA_DISABLED', value: 'true' }]),
      },
      registries: {
        ecr: { matchImages: ['123456789012.dkr.ecr.*.amazonaws.com'], account: 'ecr' },
        without: { matchImages: ['210987654321.dkr.ecr.*.amazonaws.com'], account: 'without' },
      },
    });
    agent = await startAgent({ home, passphrase: 'of a real plugin' });
    mustBeGood(
      await home.lanyard(['secret', 'set', 'ecr/env.AWS_SECRET_ACCESS_KEY'], { input: 'key-canary' }),
    );
  }, 700_000);
  afterAll(async () => {
    await agent?.dispose();
    home?.dispose();
    aws?.close();
    aws?.closeAllConnections();
  });

  const kubelet = (image: string) =>
    run(join(home.path, 'bin/lanyard-credential-provider'), [], {
      env: home.env,
      input: JSON.stringify({ apiVersion: `${group}/v1`, kind: 'CredentialProviderRequest', image }),
    });

  test('gives a kubelet and docker its credential, and is run once for all images of the registry', async () => {
    const answer = await kubelet(`${host}/team/app:v1`);
    mustBeGood(answer);
    expect(JSON.parse(answer.stdout)).toMatchObject({
      auth: { [host]: { username: 'AWS', password: 'ecr-canary' } },
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers).toMatchObject({
      'x-amz-target': 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken',
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d+\/eu-west-1\/ecr\//),
    });
    mustBeGood(await kubelet(`${host}/another/app`));
    const docker = await run(join(links, 'docker-credential-lanyard'), ['get'], {
      env: home.env,
      input: host,
    });
    mustBeGood(docker);
    expect(JSON.parse(docker.stdout)).toEqual({ ServerURL: host, Username: 'AWS', Secret: 'ecr-canary' });
    expect(asked).toHaveLength(1);
  });

  test('fails in its own words', async () => {
    const answer = await kubelet('210987654321.dkr.ecr.eu-west-1.amazonaws.com/app');
    expect(answer.code).not.toBe(0);
    expect(answer.stderr).toContain('GetAuthorizationToken');
    expect(answer.stderr).toContain('failed to refresh cached credentials');
  });
});
