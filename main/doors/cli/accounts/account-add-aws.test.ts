import { delimiter, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { quoted } from '../../../../test/support/system.ts';
import { Secret } from '../../../base/secret.ts';
import type { AwsProfile } from '../../../domain/aws/profile.ts';
import { someProgram } from '../../../domain/testing/some-program.ts';
import type { ConfigEdit } from '../../../ports/config-store.ts';
import { commandCall } from '../testing/command-call.ts';
import { stated } from '../testing/stated.ts';
import { accountAddCommand } from './account-commands.ts';

const role = 'arn:aws:iam::123456789012:role/deploy';

function setUp(found: AwsProfile = { kind: 'missing' }) {
  const edits: ConfigEdit[] = [];
  const looked: unknown[] = [];
  let shown = '';
  const command = accountAddCommand({
    config: {
      file: '/config.yaml',
      current: () => ({ accounts: new Map() }) as never,
      edit: async (each: readonly ConfigEdit[]) => void edits.push(...each),
      stated,
    },
    bindings: {
      approve: async () => undefined,
      changesTo: () => [],
      forget: async () => undefined,
      forgetAccount: async () => undefined,
    },
    vault: {
      state: () => ({ kind: 'open', slots: ['keychain'], generation: 2 }),
      read: () => ({ sessions: {}, secrets: {} }) as never,
      update: async () => undefined,
    },
    recorder: { record: () => undefined },
    status: undefined as never,
    look: async (plugin) => {
      looked.push(plugin);
      return someProgram('/opt/bin/aws');
    },
    awsProfile: async (...asked) => {
      looked.push(asked);
      return { ok: true, found, looked: 'the files' };
    },
    tokens: undefined as never,
    onRemoved: () => undefined,
  });
  const run = (...args: string[]) => {
    const call = commandCall(['work', ...args]);
    const terminal = {
      ...call.terminal,
      canPrompt: true,
      print: (text: string) => {
        shown += text;
      },
      ask: async () => new Secret('y'),
      environment: async () => ({ PATH: searchPath }),
    };
    return command({ ...call, cwd: '/home/me/src', terminal });
  };
  const added = () => edits.map((edit) => (edit.kind === 'set' ? edit.value : edit));
  return { run, added, looked, shown: () => shown };
}

const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: new Secret('canary'), sessionToken: null };
const searchPath = [resolve('/opt/bin'), resolve('/usr/bin')].join(delimiter);

describe('lanyard account add NAME --aws-profile', () => {
  test('static keys are read from their file', async () => {
    const { run, added, looked } = setUp({ kind: 'static', keys, file: 'credentials' });
    const answer = await run('--aws-profile', 'p', '--aws-credentials-file', 'keys');
    expect(added()).toEqual([{ aws: { profile: 'p', credentialsFile: resolve('/home/me/src/keys') } }]);
    expect(looked).toEqual([['p', resolve('/home/me/src/keys')]]);
    expect(JSON.stringify(answer)).toContain(
      'lanyard account add NAME --aws-eks CLUSTER --region REGION --aws-account work',
    );
    expect(JSON.stringify([answer, added()])).not.toContain('canary');
  });

  test('a credential_process is run as it stands there, and shown first', async () => {
    const { run, added, shown } = setUp({ kind: 'process', line: '/opt/keys --for "my work"' });
    await run('--aws-profile', 'p', '--timeout', '9', '--pin');
    expect(added()).toEqual([
      {
        awsProcess: {
          command: '/opt/keys',
          args: ['--for', 'my work'],
          searchPath,
          timeoutSeconds: 9,
          pin: true,
        },
      },
    ]);
    expect(shown()).toContain(`command of work: /opt/keys --for ${quoted('my work')}\n`);
    expect(shown()).toContain('program of work: /opt/bin/aws');
  });

  test('what only the AWS CLI does, it does', async () => {
    const { run, added } = setUp({ kind: 'other', what: 'sso_session' });
    await run('--aws-profile', 'p');
    const args = ['configure', 'export-credentials', '--profile', 'p', '--format', 'process'];
    expect(added()).toEqual([{ awsProcess: { command: 'aws', args, searchPath } }]);
  });

  test.each<[AwsProfile, string]>([
    [{ kind: 'missing' }, 'there is no profile p in the files'],
    [{ kind: 'keyless' }, 'the profile p in the files has no keys'],
    [
      { kind: 'half', missing: 'aws_secret_access_key' },
      'the profile p in the files has no aws_secret_access_key',
    ],
    [{ kind: 'process', line: 'a "b' }, 'the credential_process of the profile p is no command line'],
    [{ kind: 'process', line: '' }, 'the credential_process of the profile p is no command line'],
    [
      { kind: 'process', line: '/opt/keys --secret-key wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY' },
      'its arguments hold --secret-key',
    ],
  ])('%j: nothing is added', async (found, message) => {
    const { run, added } = setUp(found);
    await expect(run('--aws-profile', 'p')).rejects.toThrow(message);
    expect(added()).toEqual([]);
  });
});

describe('lanyard account add NAME', () => {
  const eks = ['--aws-eks', 'prod', '--region', 'eu-west-1', '--aws-account', 'keys'];
  test.each<[words: string[], value: object, next: string]>([
    [
      ['--aws-access-key-id', 'AKIAIOSFODNN7EXAMPLE'],
      { aws: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' } },
      'lanyard secret set work/secretAccessKey',
    ],
    [
      ['--aws-web-identity-token-file', 'token', '--aws-role', role, '--region', 'eu-west-1'],
      { aws: { webIdentity: { tokenFile: resolve('/home/me/src/token'), role, region: 'eu-west-1' } } },
      '--aws-eks',
    ],
    [
      ['--aws-process', './keys', '--arg', 'a', '--env', 'TOKEN'],
      {
        awsProcess: {
          command: resolve('/home/me/src/keys'),
          args: ['a'],
          env: [{ name: 'TOKEN' }],
          searchPath,
        },
      },
      'lanyard secret set work/env.TOKEN',
    ],
    [eks, { awsEks: { account: 'keys', cluster: 'prod', region: 'eu-west-1' } }, 'lanyard cluster add NAME'],
    [
      [
        ...eks,
        '--aws-role',
        role,
        '--aws-session-name',
        'me',
        '--aws-sts-endpoint',
        'https://sts.example.com',
      ],
      {
        awsEks: {
          ...{ account: 'keys', cluster: 'prod', region: 'eu-west-1' },
          ...{ role, sessionName: 'me', stsEndpoint: 'https://sts.example.com' },
        },
      },
      'lanyard cluster add NAME',
    ],
  ])('%j', async (words, value, next) => {
    const { run, added } = setUp();
    expect(JSON.stringify(await run(...words))).toContain(next);
    expect(added()).toEqual([value]);
  });

  test.each<[words: string[], message: string]>([
    [['--aws-access-key-id', 'canary-secret'], '--aws-access-key-id: expected an access key’s id'],
    [['--aws-eks', 'prod', '--aws-account', 'keys'], 'it needs --region: the cluster’s region'],
    [['--aws-eks', 'prod', '--region', 'eu-west-1'], 'it needs --aws-account: the account with the AWS keys'],
    [[...eks, '--aws-role', 'deploy'], '--aws-role: expected a role’s ARN'],
    [
      ['--aws-web-identity-token-file', 't', '--region', 'eu-west-1'],
      'it needs --aws-role: the ARN of the role',
    ],
    [
      ['--aws-profile', 'p', '--aws-role', role],
      '--aws-role goes with --aws-eks and --aws-web-identity-token-file, not with --aws-profile',
    ],
    [[...eks, '--aws-credentials-file', 'f'], '--aws-credentials-file goes with --aws-profile'],
    [['--aws-profile', 'p', '--static-token'], 'specify an account type'],
    [
      ['--aws-process', 'keys', '--env', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENG'],
      'AWS_SECRET_ACCESS_KEY holds a secret',
    ],
  ])('%j is refused', async (words, message) => {
    const { run, added } = setUp();
    await expect(run(...words)).rejects.toThrow(message);
    expect(added()).toEqual([]);
  });
});
