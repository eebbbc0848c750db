import { describe, expect, it } from 'vitest';
import { createTokenBench, failed, goodToken } from '../../../test/support/keys/token-bench.ts';
import { Secret } from '../../base/secret.ts';

const message = new Uint8Array([1, 2, 3]);
const pin = new Secret('1234');
const signal = new AbortController().signal;

// (rule: key-on-token)
describe('a token', () => {
  it('is opened once its PIN was given, by the approved module in a cleared environment', async () => {
    const { token, runs } = createTokenBench({ env: [{ name: 'STORE', value: '/s' }] });
    expect(await token.open()).toMatchObject({
      reason: 'loginNeeded',
      code: 'pkcs11.pinNeeded',
      wants: { token: 'card', tries: null, atPad: false },
    });
    expect(await token.logIn(pin)).toMatchObject({ ok: true, opened: { life: { subject: 'carol' } } });
    expect(await token.sign(0x0403, message, signal)).toEqual({ ok: true, signature: Buffer.from('sig') });
    expect(runs).toHaveLength(1);
    expect(runs[0]?.environment).toMatchObject({ HOME: '/home/u', STORE: '/s' });
    expect(runs[0]?.environment).not.toHaveProperty('LD_PRELOAD');
    expect(runs[0]?.environment).not.toHaveProperty('AWS_PROFILE');
    expect(runs[0]?.orders[0]).toEqual({ do: 'load', module: '/opt/module.so', sha256: 'abc' });
    expect(runs[0]?.orders.at(-1)).toEqual({ do: 'sign', scheme: 0x0403, message: 'AQID' });
  });

  it('whose module isn’t the approved one is not loaded', async () => {
    const { token, runs, state } = createTokenBench();
    state.found = { ok: false, reason: 'notPermitted', code: 'execPlugin.changed', message: 'changed' };
    expect(await token.logIn(pin)).toEqual(state.found);
    expect(runs).toEqual([]);
  });

  it.each(['end', 'logOut'] as const)('is not loaded by a process that starts at its %s', async (close) => {
    const { token, runs, state } = createTokenBench();
    const started = Promise.withResolvers<void>();
    state.starting = started.promise;
    const opening = token.open();
    await expect.poll(() => runs.length).toBe(1);
    token[close]();
    started.resolve();
    expect(await opening).toMatchObject({ code: 'pkcs11.gone' });
    expect([runs[0]?.orders, runs[0]?.hasParted]).toEqual([[], true]);
  });

  it('is shown a wrong PIN once, in a process that ends with it', async () => {
    const { token, runs } = createTokenBench();
    expect(await token.logIn(new Secret('9999'))).toMatchObject({
      reason: 'loginNeeded',
      code: 'pkcs11.pinWrong',
      message: 'card: text of pinWrong; a few more wrong ones lock the token',
    });
    expect(await token.sign(0x0403, message, signal)).toMatchObject({ code: 'pkcs11.pinNeeded' });
    expect(await token.open()).toMatchObject({ code: 'pkcs11.pinNeeded' });
    expect(runs.map(({ pins, hasParted }) => [pins, hasParted])).toEqual([
      [['9999'], true],
      [[null, null], false],
    ]);
  });
});

describe('a token that was taken out', () => {
  it('is told of once, and goes on where it is put back, as that token alone', async () => {
    const { token, runs, state, heard, clock } = createTokenBench();
    await token.logIn(pin);
    heard.length = 0;
    state.says = (order) => (order.do === 'open' ? failed('tokenMissing') : goodToken(order));
    runs[0]?.removed();
    runs[0]?.removed();
    expect(heard).toEqual(['changed', 'removed']);
    expect(token.opened).toBeNull();
    expect(token.isOut).toBe(true);
    const words = 'the token card of card was taken out';
    expect(token.trouble).toMatchObject({ code: 'pkcs11.tokenMissing', message: words });
    for (let looks = 0; looks < 3; looks++) {
      clock.advance(5_000);
      await token.open();
    }
    expect(heard).toEqual(['changed', 'removed']);

    state.says = goodToken;
    clock.advance(5_000);
    expect(await token.sign(0x0403, message, signal)).toMatchObject({ ok: true });
    const opens = runs.flatMap(({ orders }) => orders.filter((order) => order.do === 'open'));
    expect(opens[0]).toMatchObject({ select: { token: 'card' } });
    expect(opens.slice(1).every(({ select }) => select.serial === 's1')).toBe(true);
    expect(heard).toEqual(['changed', 'removed', 'changed']);
    expect(token.isOut).toBe(false);
  });
});

describe('its PIN', () => {
  const opens = (runs: readonly { orders: readonly object[] }[]) =>
    runs.flatMap(({ orders }) => orders).filter((order) => 'do' in order && order.do === 'open');

  it('is for the token that asked for it, whatever is put in while it is typed', async () => {
    const { token, runs } = createTokenBench();
    await token.open();
    await token.logIn(pin);
    expect(opens(runs).at(-1)).toMatchObject({ select: { token: 'card', serial: 's1' }, kept: false });
  });

  it.each(['device', 'cancelled', 'keyMissing'])(
    'is not tried again where it was kept and it failed as %s',
    async (code) => {
      const { token, runs, state } = createTokenBench();
      await token.logIn(pin);
      state.says = (order, run) => {
        if (order.do === 'sign') {
          run.isOver = true;
          return { tell: 'ended', how: 'crashed' };
        }
        return order.do === 'open' && order.pin ? failed(code) : goodToken(order);
      };
      await token.sign(0x0403, message, signal);
      await token.sign(0x0403, message, signal);
      const given = opens(runs).filter((order) => 'pin' in order && order.pin !== null);
      expect(given).toMatchObject([{ kept: false }, { kept: true }]);
    },
  );

  it('is gone at a logout, whatever is waited for', async () => {
    const { token, runs, state } = createTokenBench();
    await token.logIn(pin);
    const touched = Promise.withResolvers<object>();
    state.says = (order) => (order.do === 'sign' ? touched.promise : goodToken(order));
    const signing = token.sign(0x0403, message, signal);
    await expect.poll(() => runs[0]?.orders.at(-1)?.do).toBe('sign');
    token.logOut();
    expect([token.opened, runs[0]?.hasParted]).toEqual([null, true]);
    touched.resolve({ tell: 'signed', signature: 'c2ln' });
    expect(await signing).toMatchObject({ code: 'pkcs11.gone' });
    expect(await token.open()).toMatchObject({ code: 'pkcs11.pinNeeded' });
  });

  it('that a signature refuses leaves it not ready', async () => {
    const { token, state } = createTokenBench();
    await token.logIn(pin);
    state.says = (order) => (order.do === 'sign' ? failed('pinWrong') : goodToken(order));
    expect(await token.sign(0x0403, message, signal)).toMatchObject({ ok: false });
    expect([token.opened, token.trouble?.reason]).toEqual([null, 'loginNeeded']);
    expect(await token.open()).toMatchObject({ code: 'pkcs11.pinNeeded' });
  });

  it('typed at the token’s pad is not asked for, and can’t be given again', async () => {
    const { token, runs, state } = createTokenBench();
    state.says = async (order) =>
      order.do === 'open' && order.pad
        ? goodToken({ ...order, pin })
        : order.do === 'open'
          ? failed('padNeeded')
          : goodToken(order);
    expect(await token.open()).toMatchObject({ wants: { atPad: true } });
    expect(await token.logIn('pad')).toMatchObject({ ok: true });
    expect(runs[0]?.orders.at(-1)).toMatchObject({ do: 'open', pin: null, pad: true });
  });
});
