import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { Secret } from '../../base/secret.ts';
import { createSecretFileReader } from '../secret-file.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createAwsAccount } from './aws-account.ts';
import { errorAnswer, keysAnswer, loaded, noSignal, startScriptedSts } from './testing/aws-bench.ts';

const id = 'AKIAIOSFODNN7EXAMPLE';
const home = temporaryFolder();
beforeEach(() => mkdirSync(join(home(), '.aws')));

function make(aws: object, secrets: Record<string, Secret> = {}) {
  const vault = new FakeVault({ secrets: { work: secrets } });
  const clock = new FakeClock();
  const account = createAwsAccount({
    account: loaded('work', { aws }),
    vault,
    clock,
    files: createSecretFileReader(),
    environment: { HOME: home() },
  });
  return { account, vault, clock };
}
const write = (name: string, text: string, mode = 0o600) => {
  const path = join(home(), '.aws', name);
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
};
const keyLines = (keyId: string) =>
  `aws_access_key_id = ${keyId}\naws_secret_access_key = secret-of-${keyId}\n`;

describe('an access key whose secret is in the vault', () => {
  test('is given with its session token, and never ends', async () => {
    const { account } = make(
      { accessKeyId: id },
      { secretAccessKey: new Secret('canary'), sessionToken: new Secret('session') },
    );
    const current = await account.current();
    expect(current).toMatchObject({
      ok: true,
      credential: { token: null, certificate: null, expiresAt: null, awsKeys: { accessKeyId: id } },
    });
    const keys = current?.ok ? current.credential.awsKeys : undefined;
    expect([keys?.secretAccessKey.reveal(), keys?.sessionToken?.reveal()]).toEqual(['canary', 'session']);
    expect(await account.state()).toMatchObject({ kind: 'aws', state: 'ready', subject: id, problem: null });
    expect(JSON.stringify([current, await account.examine?.(noSignal)])).not.toMatch(/canary|session"/);
  });

  test('without it: what to do', async () => {
    const { account, vault } = make({ accessKeyId: id });
    expect(await account.current()).toBeNull();
    expect(await account.renew(noSignal)).toMatchObject({
      reason: 'loginNeeded',
      hint: 'lanyard secret set work/secretAccessKey',
    });
    expect(await account.state()).toMatchObject({ state: 'secretMissing' });
    vault.locked = true;
    expect(await account.current()).toMatchObject({ ok: false, reason: 'locked' });
    expect(await account.state()).toMatchObject({ state: 'locked' });
  });
});

describe('the static keys of a profile', () => {
  test('are read again when the file has changed', async () => {
    const path = write('credentials', `[work]\n${keyLines('AKIAFIRST')}`);
    const { account } = make({ profile: 'work' });
    const given = async () => {
      const current = await account.current();
      return current?.ok ? current.credential.awsKeys?.accessKeyId : current;
    };
    expect(await given()).toBe('AKIAFIRST');
    write('credentials', `[work]\n${keyLines('AKIASECOND')}`);
    expect(await given()).toBe('AKIASECOND');
    expect(await account.examine?.(noSignal)).toEqual([
      {
        check: 'account.keys',
        level: 'ok',
        message: `the access key AKIASECOND is the profile work’s in ${path} and never expires`,
        hint: null,
      },
    ]);
    rmSync(path);
    expect(await given()).toBeNull();
    expect(await account.state()).toMatchObject({
      state: 'invalid',
      problem: expect.stringContaining('there is no profile work in'),
    });
  });

  test('another file holds them alone, and others should not read it', async () => {
    write('credentials', `[work]\n${keyLines('AKIAUSUAL')}`);
    const other = write('other', `[work]\n${keyLines('AKIAOTHER')}`, 0o644);
    const { account } = make({ profile: 'work', credentialsFile: other });
    expect(await account.state()).toMatchObject({
      state: 'ready',
      subject: 'AKIAOTHER',
      problem: onWindows ? null : `${other} may be read by other users: chmod 600 ${other}`,
    });
  });

  const byProfile = 'lanyard account add NAME --aws-profile work';
  const byProgram = 'has its keys from a program (credential_process)';
  test.each<[what: string, config: string, message: string, hint: string | undefined]>([
    ['a role', 'role_arn = arn:aws:iam::1:role/a\nsource_profile = b', 'it has role_arn', byProfile],
    ['a session', 'sso_session = s\nsso_account_id = 1\nsso_role_name = r', 'it has sso_session', byProfile],
    ['a program', 'credential_process = /opt/canary', byProgram, 'awsProcess'],
    ['nothing', 'region = eu-west-1', 'has no keys', undefined],
  ])('%s is refused, with the account that does it', async (_, lines, message, hint) => {
    write('config', `[profile work]\n${lines}\n`);
    const refused = await make({ profile: 'work' }).account.renew(noSignal);
    expect(refused).toMatchObject({ code: 'aws.profile', message: expect.stringContaining(message) });
    const said = refused.ok ? '' : refused.hint;
    expect(said).toEqual(hint === undefined ? undefined : expect.stringContaining(hint));
    expect(JSON.stringify(refused)).not.toContain('canary');
  });

  test('a file that can’t be read as one', async () => {
    write('credentials', `[work]\n${keyLines('AKIAFIRST')}canary`);
    const refused = await make({ profile: 'work' }).account.renew(noSignal);
    expect(refused).toMatchObject({
      message: expect.stringMatching(/credentials: line 4 is neither NAME = VALUE/),
    });
    expect(JSON.stringify(refused)).not.toContain('canary');
  });
});

describe('keys of a role for a token in a file', () => {
  const role = 'arn:aws:iam::123456789012:role/deploy';
  const setUp = async () => {
    const sts = await startScriptedSts();
    const tokenFile = write('token', 'identity-canary\n');
    const webIdentity = { tokenFile, role, region: 'eu-west-1', stsEndpoint: sts.endpoint };
    return { ...make({ webIdentity }), sts, tokenFile };
  };

  test('an unsigned form with the token, read anew for each exchange', async () => {
    const { account, sts, clock, tokenFile } = await setUp();
    const ends = clock.now() + 3_600_000;
    sts.next(200, keysAnswer('AssumeRoleWithWebIdentity', ends));
    const obtained = await account.renew(noSignal);
    expect(obtained).toMatchObject({
      ok: true,
      credential: { issuedAt: clock.now(), expiresAt: ends, awsKeys: { accessKeyId: 'ASIAROLE' } },
    });
    writeFileSync(tokenFile, 'another-token');
    sts.next(200, keysAnswer('AssumeRoleWithWebIdentity', ends));
    await account.renew(noSignal);
    expect(sts.asked.map(({ authorization, form }) => [authorization, Object.fromEntries(form)])).toEqual(
      ['identity-canary', 'another-token'].map((WebIdentityToken) => [
        undefined,
        {
          Action: 'AssumeRoleWithWebIdentity',
          Version: '2011-06-15',
          RoleArn: role,
          RoleSessionName: 'lanyard',
          WebIdentityToken,
        },
      ]),
    );
    expect(await account.state()).toMatchObject({
      state: 'ready',
      subject: 'arn:aws:sts::123456789012:assumed-role/deploy/lanyard',
    });
    expect(JSON.stringify([obtained, await account.examine?.(noSignal)])).not.toContain('canary');
    sts.close();
  });

  const tooLate = keysAnswer('AssumeRoleWithWebIdentity', 0);
  const noProvider = errorAnswer('InvalidIdentityToken', 'No OpenIDConnect provider found');
  test.each<[status: number, text: string, code: string, words: RegExp]>([
    [400, errorAnswer('ExpiredTokenException', 'x'), 'expired', /says that the token in .* has expired/],
    [400, noProvider, 'identityToken', /doesn’t take the token in .*: No OpenIDConnect provider/],
    [
      403,
      errorAnswer('AccessDenied', 'Not authorized'),
      'denied',
      /may not take the role .*: Not authorized \(AccessDenied\)/,
    ],
    [400, errorAnswer('Throttling'), 'throttled', /too many requests/],
    [400, errorAnswer('Other\u202e', 'a\nb'), 'refused', /gives work no keys .*: a b \(Other\\u\{202e\}\)/],
    [502, '<html>proxy</html>', 'answer', /answered work with HTTP status 502 and nothing that STS says/],
    [200, tooLate, 'expired', /keys that have expired already/],
    [200, 'x'.repeat(70_000), 'unreachable', /sent more than it should/],
  ])('STS answers %s: %#', async (status, text, code, words) => {
    const { account, sts } = await setUp();
    const isThrottled = code === 'throttled';
    sts.next(status, text, isThrottled ? { 'retry-after': '7' } : {});
    const refused = await account.renew(noSignal);
    expect(refused).toMatchObject({
      ok: false,
      code: `aws.sts.${code}`,
      message: expect.stringMatching(words),
    });
    expect(!refused.ok && refused.retryAfterSeconds).toBe(isThrottled ? 7 : undefined);
    expect(await account.state()).toMatchObject({ state: 'failing' });
    sts.close();
  });

  test('a clock that is wrong is why', async () => {
    const { account, sts, clock } = await setUp();
    sts.next(400, errorAnswer('ExpiredTokenException'), {
      date: new Date(clock.now() + 6 * 60_000).toUTCString(),
    });
    expect(await account.renew(noSignal)).toMatchObject({
      code: 'aws.sts.clock',
      message: expect.stringContaining('this machine’s clock is 6 min behind its own'),
    });
    sts.close();
  });

  test('no token, no question', async () => {
    const { account, sts, tokenFile } = await setUp();
    const expired = ['{}', JSON.stringify({ exp: 1 }), ''].map((each) =>
      Buffer.from(each).toString('base64url'),
    );
    for (const [text, words] of [
      ['', 'holds no token'],
      ['two\nlines', 'holds no token'],
      [`${expired.join('.')}x`, 'expired at'],
    ] as const) {
      writeFileSync(tokenFile, text);
      expect(await account.renew(noSignal)).toMatchObject({ message: expect.stringContaining(words) });
    }
    rmSync(tokenFile);
    expect(await account.state()).toMatchObject({ state: 'invalid', problem: `${tokenFile} does not exist` });
    expect(sts.asked).toEqual([]);
    sts.close();
  });
});
