import { describe, expect, test } from 'vitest';
import { proxy } from '../../../contract/config/proxy.ts';
import { chainSteps } from '../../../domain/proxy/chain.ts';
import { stepWords } from '../../../domain/proxy/chain-words.ts';
import { proxyOptions } from './proxy-options.ts';

const none = {
  ...{ proxy: undefined, headers: undefined, impersonate: undefined, groups: undefined },
  ...{ sign: undefined, service: undefined, region: undefined },
};
const of = (...headers: string[]) => proxyOptions({ ...none, headers });

describe('the options --proxy… of lanyard cluster add', () => {
  test('are none without one, and an empty part for --proxy alone', () => {
    expect(proxyOptions(none)).toBeUndefined();
    expect(proxyOptions({ ...none, proxy: true })).toEqual({});
  });

  test('are steps in their order, as config.yaml takes them', () => {
    const made = proxyOptions({
      ...none,
      proxy: true,
      headers: [
        'CF-Access-Client-Id: id.access',
        'CF-Access-Client-Secret=@cf/prod@corp',
        'Authorization=Basic @basic',
        'X-Trace:',
        'X-Mail:a@b.example',
        'x-mail: second',
      ],
      impersonate: 'ann',
      groups: ['dev', 'ops'],
    });
    expect(made).toEqual({
      chain: [
        { set: 'CF-Access-Client-Id', value: 'id.access' },
        { set: 'CF-Access-Client-Secret', account: 'cf/prod@corp' },
        { set: 'Authorization', account: 'basic', scheme: 'Basic' },
        { remove: 'X-Trace' },
        { set: 'X-Mail', value: 'a@b.example' },
        { add: 'x-mail', value: 'second' },
        { impersonate: { user: 'ann', groups: ['dev', 'ops'] } },
      ],
    });
    expect(chainSteps(proxy.parse(made)).map(stepWords)).toEqual([
      'Set CF-Access-Client-Id: id.access',
      'Set CF-Access-Client-Secret: the credential of cf/prod@corp',
      'Set Authorization: Basic and the credential of basic',
      'Remove X-Trace',
      'Set X-Mail: a@b.example',
      'Add x-mail: second',
      'Impersonate ann, groups dev ops',
    ]);
  });

  test('sign last, with AWS keys or by a program', () => {
    const signed = { sign: 'keys', service: 'execute-api', region: 'eu-west-1' };
    expect(proxyOptions({ ...none, ...signed, headers: ['X-A: b'], impersonate: 'ann' })).toEqual({
      chain: [{ set: 'X-A', value: 'b' }, { impersonate: { user: 'ann' } }, signed],
    });
    expect(proxyOptions({ ...none, sign: 'mine' })).toEqual({ chain: [{ sign: 'mine' }] });
    expect(() => proxyOptions({ ...none, service: 's' })).toThrow(
      '--proxy-sign-service goes with --proxy-sign',
    );
    expect(() => proxyOptions({ ...none, region: 'r' })).toThrow(
      '--proxy-sign-region goes with --proxy-sign',
    );
    expect(() => proxyOptions({ ...none, sign: 'keys', region: 'r' })).toThrow('go together');
  });

  test.each([
    ['X-Name'],
    [': value'],
    ['X-Name=value'],
    ['X-Name='],
    ['X-Name=@'],
    ['X-Name=@a b'],
    // Almost the form for an account: sent as a text it would be a mistake.
    ['X-Name: @pair'],
    ['X-Name: Bearer @pair'],
    ['two words: value'],
  ])('%s is not a header', (text) => {
    expect(() => of(text)).toThrow('--proxy-header takes "NAME: VALUE", NAME=@ACCOUNT');
  });

  test.each([
    ['Authorization', 'Bearer abc'],
    ['CF-Access-Client-Secret', 'hunter2'],
    ['X-Name', `ghp_${'a1'.repeat(18)}`],
  ])('a secret in %s is refused with what to do, and not repeated', (name, value) => {
    let fault: unknown;
    try {
      of(`${name}: ${value}`);
    } catch (error) {
      fault = error;
    }
    expect(fault).toMatchObject({
      reason: 'usage',
      code: 'cluster.secretGiven',
      hint: expect.stringContaining(
        `lanyard account add NAME --static-token; then give --proxy-header ${name}=@NAME`,
      ),
    });
    expect(JSON.stringify(fault) + String(fault)).not.toContain(value);
  });

  test('groups need a user', () => {
    expect(() => proxyOptions({ ...none, groups: ['dev'] })).toThrow('goes with --proxy-impersonate');
  });
});
