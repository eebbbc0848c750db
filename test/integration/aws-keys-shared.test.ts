import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { credentialIn, until } from '../support/stage.ts';

/** One run of a program serves all EKS clusters whose tokens are made of its keys. */
const clusters = ['eu', 'us', 'staging'];
const lifeSeconds = 10;
const server = 'https://127.0.0.1:6443';
let home: TestHome;
let agent: TestAgent;

beforeAll(async () => {
  home = makeHome();
  mkdirSync(home.outside, { recursive: true });
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
async function keyOf(cluster: string): Promise<string | undefined> {
  const done = await run(
    home.file('helper'),
    ['kube-credential', '--account', cluster, '--cluster', cluster],
    {
      env: {
        ...home.env,
        KUBERNETES_EXEC_INFO: JSON.stringify({
          apiVersion: 'client.authentication.k8s.io/v1',
          kind: 'ExecCredential',
          spec: { interactive: false, cluster: { server } },
        }),
      },
    },
  );
  const token = credentialIn(done).token?.replace('k8s-aws-v1.', '') ?? '';
  const address = Buffer.from(token, 'base64url').toString();
  return new URL(address).searchParams.get('X-Amz-Credential')?.split('/')[0];
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
