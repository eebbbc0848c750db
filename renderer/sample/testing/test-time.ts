import type { SampleTime } from '../sample-world.ts';

/** A clock that a test moves. Each step lets pending promises run. */
export function testTime(begin = Date.UTC(2026, 4, 4, 13, 56)) {
  let now = begin;
  let waiting: { at: number; run: () => void }[] = [];
  const time: SampleTime = {
    now: () => now,
    after(milliseconds, run) {
      const timer = { at: now + milliseconds, run };
      waiting.push(timer);
      return () => {
        waiting = waiting.filter((each) => each !== timer);
      };
    },
  };
  async function pass(milliseconds: number): Promise<void> {
    const end = now + milliseconds;
    for (;;) {
      const [next] = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) {
        break;
      }
      now = next.at;
      waiting = waiting.filter((each) => each !== next);
      next.run();
      await new Promise((resolve) => setImmediate(resolve));
    }
    now = end;
  }
  return { time, pass };
}
