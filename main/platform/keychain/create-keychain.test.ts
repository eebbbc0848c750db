import { describe, expect, it } from 'vitest';
import type { Clock } from '../../ports/clock.ts';
import { createKeychain } from './create-keychain.ts';

/** Limits that end when the test says so. */
class HandClock implements Pick<Clock, 'after'> {
  readonly waiting = new Set<() => void>();
  after(_: number, run: () => void) {
    this.waiting.add(run);
    return { dispose: () => void this.waiting.delete(run) };
  }
  runOut(): void {
    for (const run of [...this.waiting]) {
      this.waiting.delete(run);
      run();
    }
  }
}

function fakeKeytar() {
  const entries = new Map<string, string>();
  return {
    entries,
    getPassword: async (service: string, name: string) => entries.get(`${service}/${name}`) ?? null,
    setPassword: async (service: string, name: string, value: string) => {
      entries.set(`${service}/${name}`, value);
    },
    deletePassword: async (service: string, name: string) => entries.delete(`${service}/${name}`),
  };
}

function keychainOf(keytar: object, clock = new HandClock()) {
  return createKeychain({ load: async () => keytar, limitMilliseconds: 1000, clock });
}

const failing = (error: unknown) =>
  keychainOf({ ...fakeKeytar(), getPassword: () => Promise.reject(error) }).get('Lanyard', 'a');

const withCode = (code: string) => Object.assign(new Error('no'), { code });

/** Lets everything that can go on without the outside go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the keychain', () => {
  it.each([
    ['a module', (keytar: object) => keytar],
    ['a CommonJS module behind import()', (keytar: object) => ({ default: keytar })],
  ])('keeps, gives and forgets, through %s', async (_, shape) => {
    const clock = new HandClock();
    const keychain = keychainOf(shape(fakeKeytar()), clock);
    expect(await keychain.get('Lanyard', 'a')).toEqual({ ok: true, value: null });
    expect(await keychain.set('Lanyard', 'a', 'key')).toMatchObject({ ok: true });
    expect(await keychain.get('Lanyard', 'a')).toEqual({ ok: true, value: 'key' });
    expect(await keychain.delete('Lanyard', 'a')).toMatchObject({ ok: true });
    expect(await keychain.get('Lanyard', 'a')).toEqual({ ok: true, value: null });
    expect(clock.waiting.size).toBe(0);
  });

  it('loads the library at the first call, once', async () => {
    let loads = 0;
    const load = async () => {
      loads += 1;
      return fakeKeytar();
    };
    const keychain = createKeychain({ load, limitMilliseconds: 1000, clock: new HandClock() });
    expect(loads).toBe(0);
    await Promise.all([keychain.get('Lanyard', 'a'), keychain.get('Lanyard', 'b')]);
    expect(loads).toBe(1);
  });

  it.each([
    ['the library is not installed', withCode('ERR_MODULE_NOT_FOUND')],
    ['libsecret is not installed', withCode('ERR_DLOPEN_FAILED')],
  ])('is unavailable where %s', async (_, error) => {
    const load = () => Promise.reject(error);
    const {
      get,
      set,
      delete: remove,
    } = createKeychain({ load, limitMilliseconds: 1000, clock: new HandClock() });
    const message = expect.stringContaining('not installed');
    for (const call of [get('Lanyard', 'a'), set('Lanyard', 'a', 'key'), remove('Lanyard', 'a')]) {
      expect(await call).toMatchObject({ ok: false, reason: 'unavailable', message });
    }
  });

  it('is unavailable where the library is another one', async () => {
    const found = await keychainOf({ getPassword: 1 }).get('Lanyard', 'a');
    expect(found).toMatchObject({ ok: false, reason: 'unavailable' });
  });

  it.each([
    ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'unavailable'],
    ['The name org.freedesktop.secrets was not provided by any .service files', 'unavailable'],
    ['Cannot create an item in a locked collection', 'locked'],
    ['User interaction is not allowed.', 'locked'],
    ['Something else', 'unavailable'],
  ])('%s: %s', async (message, reason) => {
    expect(await failing(new Error(message))).toMatchObject({ ok: false, reason });
  });

  it('passes no control characters and no long text on', async () => {
    const found = await failing(new Error(`\u001b[31m${'x'.repeat(10_000)}`));
    expect(found.ok || found.message.length).toBeLessThan(300);
    expect(found.ok || found.message).not.toContain('\u001b');
  });

  it('makes one call at a time', async () => {
    let running = 0;
    let most = 0;
    const keytar = {
      ...fakeKeytar(),
      getPassword: async () => {
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
        return null;
      },
    };
    const keychain = keychainOf(keytar);
    await Promise.all(Array.from({ length: 5 }, () => keychain.get('Lanyard', 'a')));
    expect(most).toBe(1);
  });

  it('answers timedOut for a call that hangs, and for all others until it ends, without making them', async () => {
    let calls = 0;
    const { promise, resolve: end } = Promise.withResolvers<string>();
    const getPassword = () => {
      calls += 1;
      return promise;
    };
    const keytar = { ...fakeKeytar(), getPassword };
    const clock = new HandClock();
    const keychain = keychainOf(keytar, clock);
    const waiting = [keychain.get('Lanyard', 'a'), keychain.get('Lanyard', 'b')];
    await settle();
    clock.runOut();
    for (const each of waiting) {
      expect(await each).toMatchObject({ ok: false, reason: 'timedOut' });
    }
    expect(await keychain.set('Lanyard', 'a', 'key')).toMatchObject({ ok: false, reason: 'timedOut' });
    expect(calls).toBe(1);
    end('late');
    await settle();
    expect(await keychain.set('Lanyard', 'a', 'key')).toMatchObject({ ok: true });
  });
});
