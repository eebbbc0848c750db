import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../main/base/secret.ts';
import { eksToken } from '../../main/domain/aws/eks-token.ts';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type AwsCli, eksTokenAt, findAwsCli } from '../support/aws/aws-cli.ts';
import { type LocalAws, startLocalAws } from '../support/aws/local-aws.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { whyNotLong } from '../support/long.ts';
import { type Ended, run } from '../support/processes.ts';
import { credentialIn, mustBeGood, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

const variablesOf = ({ accessKeyId, secretAccessKey, sessionToken }: Keys) => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
});

/** The token of `aws eks get-token` at that second. */
async function tokenOfAws(instant: Date, cluster: string, region: string, keys: Keys): Promise<string> {
  const answer = await eksTokenAt(
    instant,
    ['--cluster-name', cluster, '--region', region],
    variablesOf(keys),
  );
  return JSON.parse(answer).status.token;
}

function addressOf(token: string): URL {
  return new URL(Buffer.from(token.replace('k8s-aws-v1.', ''), 'base64url').toString());
}

function instantOf(address: URL): Date {
  const [, ...parts] =
    /^(....)(..)(..)T(..)(..)(..)Z$/.exec(address.searchParams.get('X-Amz-Date') ?? '') ?? [];
  const [year = 0, month = 1, ...rest] = parts.map(Number);
  return new Date(Date.UTC(year, month - 1, ...(rest as [number, number, number, number])));
}

const server = 'https://127.0.0.1:6443';

/** The helper, as kubectl runs it for the cluster of the account's name. */
function askAt(home: TestHome, account: string): Promise<Ended> {
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server } },
  };
  return run(home.file('helper'), ['kube-credential', '--account', account, '--cluster', account], {
    env: { ...home.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  });
}

describe('an EKS token is what aws eks get-token makes at the same second', unless(whyNotLong), () => {
  const plain = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  };
  const session = {
    ...plain,
    accessKeyId: 'ASIAIOSFODNN7EXAMPLE',
    sessionToken: 'IQoJb3JpZ2luX2VjE+/a==%~*',
  };
  test.each<[region: string, cluster: string, Keys]>([
    ['eu-west-1', 'prod', plain],
    ['eu-west-1', 'prod', session],
    ['us-east-1', 'Prod_2-a', session],
    ['cn-north-1', 'prod', session],
    ['us-gov-west-1', 'prod', plain],
    ['us-iso-east-1', 'prod', plain],
  ])('%s, %s', async (region, cluster, keys) => {
    const instant = new Date('2026-11-20T23:59:59Z');
    const { token } = eksToken(
      { cluster, region },
      {
        accessKeyId: keys.accessKeyId,
        secretAccessKey: new Secret(keys.secretAccessKey),
        sessionToken: keys.sessionToken === undefined ? null : new Secret(keys.sessionToken),
      },
      instant.getTime(),
    );
    expect(addressOf(token.reveal()).href).toBe(
      addressOf(await tokenOfAws(instant, cluster, region, keys)).href,
    );
    expect(token.reveal()).toBe(await tokenOfAws(instant, cluster, region, keys));
  });
});

describe(
  'the keys of each kind of profile, with the AWS CLI, a local STS and SSO',
  unless(whyNotLong),
  () => {
    let home: TestHome;
    let cli: AwsCli;
    let local: LocalAws;
    let agent: TestAgent;
    const region = 'eu-west-1';

    beforeAll(async () => {
      home = makeHome();
      cli = await findAwsCli();
      local = await startLocalAws(home.env['HOME'] ?? '');
      const exported = (profile: string) => ({
        awsProcess: {
          command: cli.ok ? cli.path : 'aws',
          args: ['configure', 'export-credentials', '--profile', profile, '--format', 'process'],
          env: [{ name: 'AWS_EC2_METADATA_DISABLED', value: 'true' }],
        },
      });
      const keys: Record<string, object> = {
        static: { aws: { profile: 'static-work' } },
        role: { aws: { profile: 'assumed-work' } },
        vault: { aws: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' } },
        process: { awsProcess: { command: '/bin/cat', args: [local.processAnswer] } },
        sso: exported('sso-work'),
        assumed: exported('sso-assumed'),
        web: {
          aws: {
            webIdentity: {
              tokenFile: local.webIdentityToken,
              role: local.roleArn,
              region,
              stsEndpoint: local.sts.endpoint,
            },
          },
        },
      };
      const eks = (account: string, more: object = {}) => ({
        awsEks: { account, cluster: 'prod', region, ...more },
      });
      const tokens = {
        ...Object.fromEntries(Object.keys(keys).map((name) => [`eks-${name}`, eks(name)])),
        'eks-taken': eks('static', { role: local.roleArn, stsEndpoint: local.sts.endpoint }),
      };
      home.writeConfig({
        version: 1,
        accounts: { ...keys, ...tokens },
        clusters: Object.fromEntries(Object.keys(tokens).map((account) => [account, { server, account }])),
      });
      agent = await startAgent({ home, passphrase: 'of AWS keys' });
    }, 700_000);
    afterAll(async () => {
      await agent?.dispose();
      await local?.dispose();
      home?.dispose();
    });

    const ask = (account: string) => askAt(home, account);
    const tokenOf = async (account: string): Promise<string> => {
      const done = await ask(account);
      mustBeGood(done);
      return JSON.parse(done.stdout).status.token;
    };
    test.each(['static', 'process', 'sso'] as const)('%s: the token is aws eks get-token’s', async (name) => {
      const token = await tokenOf(`eks-${name}`);
      const [given] = local.sso.given;
      const keys = name === 'sso' ? given : local.keys;
      if (!keys) {
        throw new Error('the portal gave nothing');
      }
      expect(token).toBe(await tokenOfAws(instantOf(addressOf(token)), 'prod', region, keys));
    });

    test.each(['assumed', 'web', 'taken'] as const)('%s: the token is the role’s', async (name) => {
      const token = await tokenOf(`eks-${name}`);
      const { searchParams } = addressOf(token);
      expect(searchParams.get('X-Amz-Credential')).toMatch(/^ASIA/);
      expect(searchParams.get('X-Amz-Security-Token')).not.toBeNull();
    });

    test('a profile with a role says which account it needs', async () => {
      const done = await ask('eks-role');
      expect(done.code).not.toBe(0);
      expect(done.stderr).toContain('has no static keys: it has role_arn');
      expect(done.stderr).toContain('lanyard account add NAME --aws-profile assumed-work');
    });

    test('a key of the vault: with another secret, another token at once', async () => {
      const accessKeyId = 'AKIAIOSFODNN7EXAMPLE';
      const missing = await ask('eks-vault');
      expect(missing.stderr).toContain('vault has no secret for its access key');
      expect(missing.stderr).toContain('lanyard secret set vault/secretAccessKey');
      for (const secretAccessKey of ['first-canary', 'second-canary']) {
        mustBeGood(
          await home.lanyard(['secret', 'set', 'vault/secretAccessKey'], { input: secretAccessKey }),
        );
        const token = await tokenOf('eks-vault');
        const instant = instantOf(addressOf(token));
        expect(token).toBe(await tokenOfAws(instant, 'prod', region, { accessKeyId, secretAccessKey }));
      }
    });

    test('status and doctor say whose keys they are, and nothing of them', async () => {
      const status = await home.lanyard(['status', '--json']);
      expect(JSON.parse(status.stdout).accounts).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            name: 'static',
            kind: 'aws',
            state: 'ready',
            subject: local.keys.accessKeyId,
          }),
          expect.objectContaining({
            name: 'eks-taken',
            subject: expect.stringContaining(':assumed-role/deploy/'),
          }),
        ]),
      );
      const history = await home.lanyard(['history', '--json']);
      const log = agent.log();
      for (const secret of [
        local.keys.secretAccessKey,
        ...local.sso.given.map((each) => each.secretAccessKey),
      ]) {
        expect(`${status.stdout}${history.stdout}${log}`).not.toContain(secret);
      }
    });
  },
);

describe('one run of a program serves all EKS clusters whose tokens are made of its keys', () => {
  const clusters = ['eu', 'us', 'staging'];
  const lifeSeconds = 10;
  let home: TestHome;
  let agent: TestAgent;

  beforeAll(async () => {
    home = makeHome();
    const awsEks = (account: string, cluster: string) => ({
      awsEks: { account, cluster, region: 'eu-west-1' },
    });
    home.writeConfig({
      version: 1,
      accounts: {
        hour: { awsProcess: program('hour', 3_600) },
        short: { awsProcess: program('short', lifeSeconds) },
        ...Object.fromEntries(clusters.map((name) => [name, awsEks('hour', name)])),
        brief: awsEks('short', 'brief'),
      },
      clusters: Object.fromEntries([...clusters, 'brief'].map((name) => [name, { server, account: name }])),
    });
    agent = await startAgent({ home, passphrase: 'of shared AWS keys' });
  });
  afterAll(async () => {
    await agent?.dispose();
    home?.dispose();
  });

  const runsFile = (name: string) => join(home.outside, `${name}.runs`);

  /** Prints other keys at each run, as a credential_process. It notes its runs. */
  function program(name: string, seconds: number) {
    const file = join(home.outside, `${name}.cjs`);
    writeFileSync(
      file,
      `const fs = require('node:fs');
  fs.appendFileSync(${JSON.stringify(runsFile(name))}, 'run\\n');
  const count = fs.readFileSync(${JSON.stringify(runsFile(name))}, 'utf8').split('\\n').length - 1;
  setTimeout(() => console.log(JSON.stringify({
    Version: 1,
    AccessKeyId: 'ASIAIOSFODNN7EXAMP' + String(count).padStart(2, '0'),
    SecretAccessKey: 'secret-of-' + count,
    SessionToken: 'session-of-' + count,
    Expiration: new Date(Date.now() + ${seconds * 1000}).toISOString(),
  })), 300);
  `,
    );
    return { command: process.execPath, args: [file] };
  }

  function runs(name: string): number {
    return existsSync(runsFile(name)) ? readFileSync(runsFile(name), 'utf8').split('\n').length - 1 : 0;
  }

  /** The access key whose token the cluster gets. */
  async function keyOf(cluster: string): Promise<string | null> {
    const { token = '' } = credentialIn(await askAt(home, cluster));
    return addressOf(token).searchParams.get('X-Amz-Credential')?.split('/')[0] ?? null;
  }

  test('thirty callers of three clusters at once: one run, one key', async () => {
    const callers = Array.from({ length: 30 }, (_, at) => keyOf(clusters[at % clusters.length] ?? ''));
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['ASIAIOSFODNN7EXAMP01']));
    expect(runs('hour')).toBe(1);
    expect(await keyOf('eu')).toBe('ASIAIOSFODNN7EXAMP01');
    expect(runs('hour')).toBe(1);
  });

  test('keys in use are renewed before a caller waits for them', async () => {
    expect(await keyOf('brief')).toBe('ASIAIOSFODNN7EXAMP01');
    // No caller asks meanwhile.
    await until(() => (runs('short') > 1 ? true : null), 'a second run');
    await until(
      async () => ((await keyOf('brief')) === 'ASIAIOSFODNN7EXAMP02' ? true : null),
      'a token of its keys',
    );
  });
});
