import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Secret } from '../base/secret.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { observe } from '../domain/text/finding.ts';
import { silentLog } from '../ports/log.ts';
import type { Check } from './check.ts';
import { allMilliseconds, checkMilliseconds, runChecks } from './run-checks.ts';

const signal = new AbortController().signal;
const noClock = { after: () => ({ dispose: () => undefined }) };

function check(name: string, run: Check['run']): Check {
  return { group: 'broker', name, subject: null, run };
}

const good = (name: string) => check(name, () => [observe(name).ok('good')]);

describe('running the checks', () => {
  it('keeps their order, whoever ends first, and never has more than eight under way', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const checks = Array.from({ length: 20 }, (_, index) =>
      check(`c${index}`, async () => {
        most = Math.max(most, waiting.length + 1);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return [observe(`c${index}`).ok('good')];
      }),
    );
    let ended = false;
    const running = runChecks(checks, { clock: noClock, log: silentLog }, signal).finally(() => {
      ended = true;
    });
    while (!ended) {
      await new Promise((resolve) => setImmediate(resolve));
      waiting.pop()?.();
    }
    expect((await running).map((each) => each.check)).toEqual(checks.map(({ name }) => name));
    expect(most).toBe(8);
  });

  it('leaves one that does not end, and tells it so', async () => {
    const clock = new ManualClock();
    let told: AbortSignal | undefined;
    const stuck = check('stuck', (own) => {
      told = own;
      return new Promise(() => undefined);
    });
    const running = runChecks([stuck, good('next')], { clock, log: silentLog }, signal);
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(checkMilliseconds);
    expect(await running).toMatchObject([
      { check: 'stuck', level: 'warning', message: 'this did not end within 5 s, and was left' },
      { check: 'next', level: 'ok' },
    ]);
    expect(told?.aborted).toBe(true);
  });

  it('leaves out what there is no time for', async () => {
    const clock = new ManualClock();
    const slow = check('slow', () => {
      clock.advance(allMilliseconds / 8);
      return [observe('slow').ok('good')];
    });
    const found = await runChecks(
      Array.from({ length: 20 }, () => slow),
      { clock, log: silentLog },
      signal,
    );
    expect(found.filter(({ level }) => level === 'ok').length).toBeLessThan(17);
    expect(found.at(-1)).toMatchObject({ level: 'note', message: expect.stringContaining('not looked at') });
    expect(found).toHaveLength(20);
  });

  it('tells of one that fails, without what is inside', async () => {
    const checks = [
      check('known', () => {
        throw new BrokerError('x.y', 'it is so', { hint: 'do this' });
      }),
      check('unknown', () => Promise.reject(new Error('canary'))),
      good('next'),
    ];
    const found = await runChecks(checks, { clock: noClock, log: silentLog }, signal);
    expect(found).toMatchObject([
      { check: 'known', level: 'problem', message: 'it is so', hint: 'do this' },
      { check: 'unknown', level: 'problem', hint: null },
      { check: 'next', level: 'ok' },
    ]);
    expect(JSON.stringify(found)).not.toContain('canary');
  });

  it('text from outside forges no line, and a secret shows as none', async () => {
    const hostile = check('hostile', () => [
      { ...observe('hostile').note(`a\u001b[2J\nb ${new Secret('canary')}`, 'c\u202ed'), subject: 'e\nf' },
    ]);
    expect(await runChecks([hostile], { clock: noClock, log: silentLog }, signal)).toMatchObject([
      { message: 'a\\u{1b}[2J\\u{a}b [secret]', hint: 'c\\u{202e}d', subject: 'e\\u{a}f' },
    ]);
  });

  it('ends when its caller has left', async () => {
    const gone = new AbortController();
    const stuck = check('stuck', () => new Promise(() => undefined));
    const running = runChecks([stuck, good('next')], { clock: noClock, log: silentLog }, gone.signal);
    gone.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
  });
});
