import { describe, expect, it } from 'vitest';
import type { Carrier, CarrierListener } from './carrier.ts';
import { startEarly } from './start-early.ts';

function begin() {
  let tell: CarrierListener | undefined;
  let ask = () => {};
  const starts: number[] = [];
  const early = startEarly((onAsked): Carrier => {
    ask = onAsked;
    return {
      start(listener) {
        starts.push(1);
        tell = listener;
        listener.onConnection({ kind: 'connecting' });
      },
      send: () => undefined,
      retry: () => undefined,
    };
  });
  const state = { asked: false };
  void early.asked.then(() => {
    state.asked = true;
  });
  return { ...early, state, starts, ask: () => ask(), tell: tell as CarrierListener };
}

describe('a carrier that starts before its listener is there', () => {
  it('keeps what it brings until then, in its order', () => {
    const { carrier, tell, starts } = begin();
    const heard: unknown[] = [];
    tell.onConnection({ kind: 'open' });
    tell.onMessage('first');
    carrier.start({
      onConnection: ({ kind }) => heard.push(kind),
      onMessage: (message) => heard.push(message),
    });
    tell.onMessage('second');
    expect([...starts, ...heard]).toEqual([1, 'connecting', 'open', 'first', 'second']);
  });

  it.each([
    ['was asked', ({ ask }: ReturnType<typeof begin>) => ask()],
    ['is gone', ({ tell }: ReturnType<typeof begin>) => tell.onConnection({ kind: 'gone', since: 0 })],
    ['refuses', ({ tell }: ReturnType<typeof begin>) => tell.onConnection({ kind: 'refused', why: 'x' })],
  ])('tells when its broker %s', async (_what, happen) => {
    const begun = begin();
    await Promise.resolve();
    expect(begun.state.asked).toBe(false);
    happen(begun);
    await Promise.resolve();
    expect(begun.state.asked).toBe(true);
  });
});
