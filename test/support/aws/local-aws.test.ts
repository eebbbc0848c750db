import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNotLong } from '../long.ts';
import { run } from '../processes.ts';
import { unless } from '../unless.ts';
import { type AwsCli, eksTokenAt, findAwsCli } from './aws-cli.ts';
import { type LocalAws, startLocalAws } from './local-aws.ts';

/** Each profile gives the AWS CLI what it says, without a network. */
describe('the AWS CLI with local STS and SSO', unless(whyNotLong), () => {
  let home: string;
  let cli: AwsCli;
  let local: LocalAws | null = null;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'lanyard-aws-'));
    cli = await findAwsCli();
    local = cli.ok ? await startLocalAws(home) : null;
  }, 600_000);
  afterAll(async () => {
    await local?.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  const aws = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(cli.ok ? cli.path : '', args, { env: { ...local?.environment, ...env } });
  const exported = async (profile: string) => {
    const done = await aws(['configure', 'export-credentials', '--profile', profile, '--format', 'process']);
    expect([done.code, done.stderr]).toEqual([0, '']);
    return JSON.parse(done.stdout);
  };

  test('keys of the file, of a process and of the portal are those it has', async ({ skip }) => {
    if (local === null) {
      skip(cli.ok ? '' : cli.why);
      return;
    }
    const { accessKeyId, secretAccessKey } = local.keys;
    const own = { Version: 1, AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey };
    expect(await exported('static-work')).toEqual(own);
    expect(await exported('process-work')).toEqual(own);
    const role = await exported('sso-work');
    const [given] = local.sso.given;
    expect(role).toMatchObject({
      AccessKeyId: given?.accessKeyId,
      SecretAccessKey: given?.secretAccessKey,
      SessionToken: given?.sessionToken,
    });
    expect(Date.parse(role.Expiration)).toBe(given?.expiration);
  });

  test.each(['assumed-work', 'sso-assumed', 'web-work'])(
    '%s: the role’s keys are its own',
    async (profile) => {
      if (local === null) {
        return;
      }
      const role = await exported(profile);
      expect(role.AccessKeyId).toMatch(/^ASIA/);
      const { AccessKeyId, SecretAccessKey, SessionToken } = role;
      const who = await aws(['sts', 'get-caller-identity'], {
        AWS_ENDPOINT_URL_STS: local.sts.endpoint,
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: AccessKeyId,
        AWS_SECRET_ACCESS_KEY: SecretAccessKey,
        AWS_SESSION_TOKEN: SessionToken,
      });
      expect(JSON.parse(who.stdout).Arn).toContain(':assumed-role/deploy/');
    },
  );

  test('a session that is over: no keys', async () => {
    if (local === null) {
      return;
    }
    local.sso.end();
    local.forget();
    const done = await aws(['configure', 'export-credentials', '--profile', 'sso-work']);
    expect([done.code, done.stdout]).toEqual([255, '']);
    expect(done.stderr).toContain('The SSO session associated with this profile has expired');
  });

  test('eks get-token at a given instant', async () => {
    const instant = new Date('2026-11-20T12:00:00Z');
    const { status } = JSON.parse(
      await eksTokenAt(instant, ['--cluster-name', 'prod'], {
        AWS_DEFAULT_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'not-a-real-key',
      }),
    );
    const address = new URL(Buffer.from(status.token.replace('k8s-aws-v1.', ''), 'base64url').toString());
    expect(address.searchParams.get('X-Amz-Date')).toBe('20261120T120000Z');
    expect(status.expirationTimestamp).toBe('2026-11-20T12:14:00Z');
  });
});
