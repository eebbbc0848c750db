import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { quoted } from '../../../../test/support/system.ts';
import { Secret } from '../../../base/secret.ts';
import type { AwsProfile } from '../../../domain/aws/profile.ts';
import { accountAddBench, searchPath } from '../testing/account-add-bench.ts';

const role = 'arn:aws:iam::123456789012:role/deploy';

const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: new Secret('canary'), sessionToken: null };

describe('lanyard account add NAME --aws-profile', () => {
  test('static keys are read from their file', async () => {
    const { run, written, looked } = accountAddBench({
      profile: { kind: 'static', keys, file: 'credentials' },
    });
    const answer = await run('work', '--aws-profile', 'p', '--aws-credentials-file', 'keys');
    expect(written()).toEqual([{ aws: { profile: 'p', credentialsFile: resolve('/home/me/src/keys') } }]);
    expect(looked).toEqual([['p', resolve('/home/me/src/keys')]]);
    expect(JSON.stringify(answer)).toContain(
      'lanyard account add NAME --aws-eks CLUSTER --region REGION --aws-account work',
    );
    expect(JSON.stringify([answer, written()])).not.toContain('canary');
  });

  test('a credential_process is run as it stands there, and shown first', async () => {
    const { run, written, shown } = accountAddBench({
      profile: { kind: 'process', line: '/opt/keys --for "my work"' },
    });
    await run('work', '--aws-profile', 'p', '--timeout', '9', '--pin');
    expect(written()).toEqual([
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
    const { run, written } = accountAddBench({ profile: { kind: 'other', what: 'sso_session' } });
    await run('work', '--aws-profile', 'p');
    const args = ['configure', 'export-credentials', '--profile', 'p', '--format', 'process'];
    expect(written()).toEqual([{ awsProcess: { command: 'aws', args, searchPath } }]);
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
    const { run, written } = accountAddBench({ profile: found });
    await expect(run('work', '--aws-profile', 'p')).rejects.toThrow(message);
    expect(written()).toEqual([]);
  });
});

describe('lanyard account add NAME', () => {
  const eks = '--aws-eks prod --region eu-west-1 --aws-account keys';
  const awsEks = { account: 'keys', cluster: 'prod', region: 'eu-west-1' };
  test.each<[words: string, value: object, next: string]>([
    [
      '--aws-access-key-id AKIAIOSFODNN7EXAMPLE',
      { aws: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' } },
      'lanyard secret set work/secretAccessKey',
    ],
    [
      `--aws-web-identity-token-file token --aws-role ${role} --region eu-west-1`,
      { aws: { webIdentity: { tokenFile: resolve('/home/me/src/token'), role, region: 'eu-west-1' } } },
      '--aws-eks',
    ],
    [
      '--aws-process ./keys --arg a --env TOKEN',
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
    [eks, { awsEks }, 'lanyard cluster add NAME'],
    [
      `${eks} --aws-role ${role} --aws-session-name me --aws-sts-endpoint https://sts.example.com`,
      { awsEks: { ...awsEks, role, sessionName: 'me', stsEndpoint: 'https://sts.example.com' } },
      'lanyard cluster add NAME',
    ],
  ])('%s', async (words, value, next) => {
    const { run, written } = accountAddBench();
    expect(JSON.stringify(await run('work', ...words.split(' ')))).toContain(next);
    expect(written()).toEqual([value]);
  });

  test.each([
    ['--aws-access-key-id canary-secret', '--aws-access-key-id: expected an access key’s id'],
    ['--aws-eks prod --aws-account keys', 'it needs --region: the cluster’s region'],
    ['--aws-eks prod --region eu-west-1', 'it needs --aws-account: the account with the AWS keys'],
    [`${eks} --aws-role deploy`, '--aws-role: expected a role’s ARN'],
    ['--aws-web-identity-token-file t --region eu-west-1', 'it needs --aws-role: the ARN of the role'],
    [
      `--aws-profile p --aws-role ${role}`,
      '--aws-role goes with --aws-eks and --aws-web-identity-token-file, not with --aws-profile',
    ],
    [`${eks} --aws-credentials-file f`, '--aws-credentials-file goes with --aws-profile'],
    ['--aws-profile p --static-token', 'specify an account type'],
    ['--aws-process keys --env AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENG', 'holds a secret'],
  ])('%s is refused', async (words, message) => {
    const { run, written } = accountAddBench();
    await expect(run('work', ...words.split(' '))).rejects.toThrow(message);
    expect(written()).toEqual([]);
  });
});
