import { describe, expect, it } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { crashed, createTokenBench, failed, goodToken, signed } from './testing/token-bench.ts';

const message = new Uint8Array([1, 2, 3]);
const pin = new Secret('1234');
const signal = new AbortController().signal;

const signatures = (bench: ReturnType<typeof createTokenBench>) =>
  bench.runs.map(({ orders }) => orders.filter((order) => order.do === 'sign').length);

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

  it('whose PIN was changed elsewhere isn’t shown the old one again', async () => {
    const { token, runs, state } = createTokenBench();
    await token.logIn(pin);
    state.says = (order) =>
      order.do === 'sign'
        ? crashed
        : order.do === 'open' && order.pin
          ? failed('pinWrong')
          : goodToken(order);
    expect(await token.sign(0x0403, message, signal)).toMatchObject({ code: 'pkcs11.pinWrong' });
    await token.sign(0x0403, message, signal);
    expect(runs.flatMap(({ pins }) => pins).filter((each) => each !== null)).toEqual(['1234', '1234']);
  });
});

describe('a module that', () => {
  it('crashed is started again for the signature that it owes, without a question', async () => {
    const { token, runs, state, heard } = createTokenBench();
    await token.logIn(pin);
    const changes = heard.length;
    state.says = (order, run) => {
      if (order.do === 'sign' && run === runs[0]) {
        run.isOver = true;
        return crashed;
      }
      return goodToken(order);
    };
    expect(await token.sign(0x0403, message, signal)).toMatchObject({ ok: true });
    expect(runs.map(({ pins }) => pins)).toEqual([['1234'], ['1234']]);
    expect(heard).toHaveLength(changes);
  });

  it('crashes each time has rests between its starts', async () => {
    const bench = createTokenBench();
    const { token, runs, state, clock } = bench;
    await token.logIn(pin);
    state.says = (order, run) => {
      run.isOver = order.do === 'sign';
      return order.do === 'sign' ? crashed : goodToken(order);
    };
    expect(await token.sign(0x0403, message, signal)).toMatchObject({ code: 'pkcs11.crashed' });
    expect(signatures(bench)).toEqual([1, 1]);
    expect(await token.sign(0x0403, message, signal)).toMatchObject({
      code: 'pkcs11.crashed',
      retryAfterSeconds: 1,
      unasked: true,
    });
    expect(runs).toHaveLength(2);
    clock.advance(1_000);
    await token.sign(0x0403, message, signal);
    expect(runs.length).toBeGreaterThan(2);
  });

  it('hangs is not asked again for the same', async () => {
    const bench = createTokenBench();
    const { token, state } = bench;
    await token.logIn(pin);
    state.says = (order, run) => {
      run.isOver = order.do === 'sign';
      return order.do === 'sign' ? { tell: 'ended', how: 'late' } : goodToken(order);
    };
    expect(await token.sign(0x0403, message, signal)).toMatchObject({
      reason: 'timedOut',
      code: 'pkcs11.late',
    });
    expect(signatures(bench)).toEqual([1]);
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
    expect(token.trouble).toMatchObject({ code: 'pkcs11.tokenMissing' });
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
  });
});

describe('its PIN', () => {
  it('is gone with the lock, even where the token was being opened', async () => {
    const { token, runs, state } = createTokenBench();
    const opening = Promise.withResolvers<object>();
    state.says = (order) => (order.do === 'open' ? opening.promise : goodToken(order));
    const loggingIn = token.logIn(pin);
    await expect.poll(() => runs[0]?.pins).toEqual(['1234']);
    token.end();
    opening.resolve(await goodToken({ do: 'open', select: {}, certificate: null, pin, pad: false }));
    expect(await loggingIn).toMatchObject({ code: 'pkcs11.gone' });
    expect(token.opened).toBeNull();
    expect(runs[0]?.hasParted).toBe(true);
    expect(await token.sign(0x0403, message, signal)).toMatchObject({ code: 'pkcs11.gone' });
    expect(runs).toHaveLength(1);
  });

  it('is gone with a logout', async () => {
    const { token, runs } = createTokenBench();
    await token.logIn(pin);
    await token.logOut();
    expect(runs[0]?.hasParted).toBe(true);
    expect(await token.sign(0x0403, message, signal)).toMatchObject({ code: 'pkcs11.pinNeeded' });
    expect(runs[1]?.pins).toEqual([null]);
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

describe('a signature', () => {
  it('that takes long shows that the token waits for its user', async () => {
    const { token, state, heard, clock, runs } = createTokenBench();
    await token.logIn(pin);
    heard.length = 0;
    const touched = Promise.withResolvers<object>();
    state.says = (order) => (order.do === 'sign' ? touched.promise : goodToken(order));
    const signing = token.sign(0x0403, message, signal);
    await expect.poll(() => runs[0]?.orders.at(-1)?.do).toBe('sign');
    expect(token.waitsForUser).toBe(false);
    clock.advance(1_500);
    expect(token.waitsForUser).toBe(true);
    touched.resolve(signed);
    expect(await signing).toMatchObject({ ok: true });
    expect(token.waitsForUser).toBe(false);
    expect(heard).toEqual(['changed', 'changed']);
  });

  it('that nobody waits for any more is not asked for', async () => {
    const bench = createTokenBench();
    await bench.token.logIn(pin);
    expect(await bench.token.sign(0x0403, message, AbortSignal.abort())).toMatchObject({
      reason: 'timedOut',
    });
    expect(signatures(bench)).toEqual([0]);
  });
});
