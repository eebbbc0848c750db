import { describe, expect, test } from 'vitest';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { AwsKeySource } from '../../ports/aws-key-source.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { createAwsEksAccount } from './aws-eks-account.ts';
import {
  errorAnswer,
  keysAnswer,
  loaded,
  noSignal,
  someKeys,
  startScriptedSts,
} from './testing/aws-bench.ts';

function make(more: object = {}) {
  const clock = new FakeClock();
  const asked: { account: string; asker: string; rejected: boolean }[] = [];
  const source: { fault: Refusal | null; expiresAt: number | null } = { fault: null, expiresAt: null };
  const awsKeys: AwsKeySource = {
    fault: () => source.fault,
    keys: async (account, by) => {
      asked.push({ account, ...by });
      return source.fault ?? { ok: true, keys: someKeys, expiresAt: source.expiresAt };
    },
  };
  const account = createAwsEksAccount({
    account: loaded('eks', { awsEks: { account: 'work', cluster: 'prod', region: 'eu-west-1', ...more } }),
    clock,
    environment: {},
    awsKeys,
  });
  return { account, clock, asked, source };
}
const role = 'arn:aws:iam::123456789012:role/deploy';

describe('an EKS token', () => {
  test('lives for 14 minutes, or as long as the keys', async () => {
    const { account, clock, source, asked } = make();
    const obtained = await account.renew(noSignal);
    const ends = Math.floor(clock.now() / 1000) * 1000 + 14 * 60_000;
    expect(obtained).toMatchObject({ ok: true, credential: { certificate: null, expiresAt: ends } });
    expect(obtained.ok && obtained.credential.token?.reveal()).toMatch(/^k8s-aws-v1\.[\w-]+$/);
    source.expiresAt = clock.now() + 60_000;
    expect(await account.renew(noSignal)).toMatchObject({ credential: { expiresAt: source.expiresAt } });
    expect(asked).toEqual([1, 2].map(() => ({ account: 'work', asker: 'eks', rejected: false })));
    expect(await account.state()).toMatchObject({
      kind: 'awsEks',
      state: 'ready',
      subject: someKeys.accessKeyId,
    });
    expect(JSON.stringify(obtained)).not.toContain('k8s-aws');
  });

  test('what is kept goes nowhere while its keys may not be used', async () => {
    const { account, source } = make();
    expect(await account.current()).toBeNull();
    source.fault = refuse('notPermitted', 'binding.held', 'the account work is pending approval');
    expect(await account.current()).toEqual(source.fault);
    expect(await account.renew(noSignal)).toEqual(source.fault);
    expect(await account.state()).toMatchObject({
      state: 'invalid',
      problem: 'the account work is pending approval',
    });
    source.fault = refuse('locked', 'vault.locked', 'lanyard is locked');
    expect(await account.state()).toMatchObject({ state: 'locked' });
    expect(await account.examine?.(noSignal)).toMatchObject([
      { level: 'note', message: 'lanyard is locked' },
    ]);
  });

  test('of a role: signed with the account’s keys, made of the role’s', async () => {
    const sts = await startScriptedSts();
    const { account, clock } = make({ role, stsEndpoint: sts.endpoint, sessionName: 'me' });
    sts.next(200, keysAnswer('AssumeRole', clock.now() + 3_600_000));
    const obtained = await account.renew(noSignal);
    const address = Buffer.from(
      (obtained.ok ? obtained.credential.token?.reveal() : '')?.split('.')[1] ?? '',
      'base64url',
    ).toString();
    // The authenticator takes only the region’s own address, wherever STS was reached for the role.
    expect(address).toMatch(
      /^https:\/\/sts\.eu-west-1\.amazonaws\.com\/\?.*X-Amz-Credential=ASIAROLE%2F.*X-Amz-Security-Token=token-canary/,
    );
    const [{ authorization, form } = { authorization: '', form: new URLSearchParams() }] = sts.asked;
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-west-1\/sts\/aws4_request, /,
    );
    expect(Object.fromEntries(form)).toEqual({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: role,
      RoleSessionName: 'me',
    });
    expect(await account.state()).toMatchObject({
      subject: 'arn:aws:sts::123456789012:assumed-role/deploy/lanyard',
    });
    sts.close();
  });

  test('keys that AWS refuses are obtained once more, and no more than that', async () => {
    const sts = await startScriptedSts();
    const { account, clock, asked } = make({ role, stsEndpoint: sts.endpoint });
    sts.next(403, errorAnswer('ExpiredToken', 'canary'));
    sts.next(200, keysAnswer('AssumeRole', clock.now() + 3_600_000));
    expect(await account.renew(noSignal)).toMatchObject({ ok: true });
    expect(asked.map(({ rejected }) => rejected)).toEqual([false, true]);
    sts.next(403, errorAnswer('InvalidClientTokenId'));
    sts.next(403, errorAnswer('InvalidClientTokenId'));
    expect(await account.renew(noSignal)).toMatchObject({
      code: 'aws.sts.unknownKey',
      message: expect.stringContaining('AWS doesn’t know the keys of work'),
    });
    expect(sts.asked).toHaveLength(4);
    sts.next(
      403,
      errorAnswer('AccessDenied', `User is not authorized to perform: sts:AssumeRole on resource: ${role}`),
    );
    expect(await account.renew(noSignal)).toMatchObject({ code: 'aws.sts.denied' });
    expect(sts.asked).toHaveLength(5);
    expect(await account.state()).toMatchObject({ state: 'failing' });
    sts.close();
  });
});
