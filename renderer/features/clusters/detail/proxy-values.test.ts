import { describe, expect, it } from 'vitest';
import { clusterRules, entryOf, valuesOf } from './entry-values.ts';
import { placeOfFault, proxyOf, type StepValues, stepOf } from './proxy-values.ts';

const entry = { server: 'https://h:6443', account: 'corp' };
const withSteps = (...steps: StepValues[]) => ({ ...valuesOf(entry), proxy: { isOn: true, steps } });
const faultOf = (...steps: StepValues[]) => {
  const form = withSteps(...steps);
  return clusterRules.faultsOf(entryOf(form, entry), form, entry)['proxy'];
};

describe('the request proxy in the form of a cluster', () => {
  it.each([
    {},
    { chain: [] },
    { chain: [], ofALaterVersion: 1 },
    {
      chain: [
        { set: 'CF-Access-Client-Id', value: ' id.access ' },
        { add: 'Proxy-Authorization', account: 'iap', scheme: 'Bearer', audience: 'a' },
        { remove: 'X-Gone' },
        { impersonate: { user: 'ann', uid: '7', groups: ['cn=a,dc=b', 'c'], extra: { scopes: ['x'] } } },
        { impersonate: { user: 'bob' } },
        { sign: 'keys', service: 'execute-api', region: 'eu-west-1', payload: 'unsigned' },
        { sign: 'mine', credentials: false },
      ],
    },
  ])('gives back what it was made of: %j', (proxy) => {
    const whole = { ...entry, proxy };
    expect(entryOf(valuesOf(whole), whole)).toEqual(whole);
  });

  it('is written when it is turned on, and taken away when it is turned off', () => {
    expect(entryOf({ ...valuesOf(entry), proxy: { isOn: true, steps: [] } }, entry)).toEqual({
      ...entry,
      proxy: {},
    });
    const on = { ...entry, proxy: { chain: [{ remove: 'X-A' }] } };
    expect(entryOf({ ...valuesOf(on), proxy: { ...proxyOf(on.proxy), isOn: false } }, on)).toEqual(entry);
  });

  it('drops what another kind of step had', () => {
    const step = stepOf({ set: 'X-A', account: 'pair', scheme: 'Key' });
    const chainOf = (change: Partial<StepValues>) =>
      entryOf(withSteps({ ...step, ...change }), entry)['proxy'];
    expect(chainOf({ source: 'value', value: 'v' })).toEqual({ chain: [{ set: 'X-A', value: 'v' }] });
    expect(chainOf({ kind: 'remove' })).toEqual({ chain: [{ remove: 'X-A' }] });
    expect(chainOf({ kind: 'sign', service: ' execute-api ', region: 'eu-west-1' })).toEqual({
      chain: [{ sign: 'pair', service: 'execute-api', region: 'eu-west-1' }],
    });
    expect(chainOf({ kind: 'sign', account: 'mine', credentials: true })).toEqual({
      chain: [{ sign: 'mine', credentials: true }],
    });
    expect(chainOf({ kind: 'impersonate', user: 'ann', groups: 'a\n\nb' })).toEqual({
      chain: [{ impersonate: { user: 'ann', groups: ['a', 'b'] } }],
    });
  });

  it('has the schema’s faults, at their step', () => {
    const good = stepOf({ remove: 'X-A' });
    expect(faultOf(good)).toBeUndefined();
    expect(faultOf(good, stepOf({}))).toBe('chain.1.set: name the header');
    expect(faultOf(stepOf({ set: 'X-A', account: '' }))).toBe('chain.0.account: choose an account');
    expect(faultOf({ ...good, kind: 'impersonate' })).toBe('chain.0.impersonate: name the user');
    expect(faultOf(good, { ...good, kind: 'sign', account: '' })).toBe(
      'chain.1.sign: choose the account that signs',
    );
    expect(faultOf(stepOf({ sign: 'mine' }), good)).toMatch(/^chain\.1: .*before the steps that sign/);
    expect(placeOfFault('chain.1.value: no: really')).toEqual({ at: 1, key: 'value', message: 'no: really' });
    expect(placeOfFault('chain.3.impersonate.user: no')).toEqual({
      at: 3,
      key: 'impersonate',
      message: 'no',
    });
    expect(placeOfFault('chain.0: expected either value or account')).toMatchObject({ at: 0, key: '' });
    expect(placeOfFault('expected less')).toEqual({ at: null, key: '', message: 'expected less' });
  });
});
