import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { refuse } from '../contract/refusal.ts';
import { WantedLogins } from './wanted-logins.ts';

const stays = new AbortController().signal;
let clock: ManualClock;
let isTold: boolean;
let wanted: WantedLogins;
beforeEach(() => {
  clock = new ManualClock(1_000);
  isTold = true;
  wanted = new WantedLogins({ clock, isTold: () => isTold, onChange: () => undefined });
});

const refused = { kind: 'refused', refusal: { reason: 'loginNeeded', code: 'login.notBegun' } };

describe('a wanted login', () => {
  it('is one for all who ask, and shows who they are', async () => {
    const all = [
      ['kubectl', 'code'],
      ['kubectl', 'code'],
      ['helm', 'make'],
    ].map((lineage) => wanted.wait('corp', lineage, stays));
    expect(wanted.view('corp')).toEqual({
      since: 1_000,
      endsAt: 121_000,
      callers: [
        ['kubectl', 'code'],
        ['helm', 'make'],
      ],
      waiting: 3,
    });
    const done = Promise.resolve(refuse('denied', 'x', 'no'));
    wanted.begun('corp', done);
    expect(await Promise.all(all)).toEqual([1, 2, 3].map(() => ({ kind: 'begun', done })));
    expect(wanted.view('corp')).toBeNull();
    expect(clock.pending).toBe(0);
  });

  it('ends after two minutes, for late callers, too, and no one is kept waiting again for a while', async () => {
    const first = wanted.wait('corp', ['kubectl'], stays);
    clock.advance(119_000);
    const late = wanted.wait('corp', ['helm'], stays);
    clock.advance(1_000);
    expect(await first).toMatchObject(refused);
    expect(await late).toMatchObject(refused);
    expect(wanted.canWait('corp')).toBe(false);
    expect(wanted.canWait('other')).toBe(true);
    clock.advance(600_000);
    expect(wanted.canWait('corp')).toBe(true);
  });

  it('is waited for again once someone has begun one', async () => {
    const inVain = wanted.wait('corp', ['kubectl'], stays);
    clock.advance(120_000);
    await inVain;
    wanted.begun('corp', Promise.resolve(refuse('denied', 'x', 'no')));
    expect(wanted.canWait('corp')).toBe(true);
  });

  it('goes with the last caller, and not before', async () => {
    const leaving = [new AbortController(), new AbortController()];
    const waits = leaving.map(({ signal }) => wanted.wait('corp', ['kubectl'], signal));
    leaving[0]?.abort(new Error('gone'));
    await expect(waits[0]).rejects.toThrow('gone');
    expect(wanted.view('corp')).toMatchObject({ waiting: 1 });
    leaving[1]?.abort(new Error('gone'));
    await expect(waits[1]).rejects.toThrow('gone');
    expect(wanted.view('corp')).toBeNull();
    expect(clock.pending).toBe(0);
    expect(wanted.canWait('corp')).toBe(true);
  });

  it('ends with the lock, in its words', async () => {
    const waits = wanted.wait('corp', ['kubectl'], stays);
    wanted.cancelAll('lanyard was locked');
    expect(await waits).toMatchObject({ refusal: { reason: 'denied', message: 'lanyard was locked' } });
  });

  it('is not waited for where the user is not notified; those that wait already go on', async () => {
    isTold = false;
    expect(wanted.canWait('corp')).toBe(false);
    isTold = true;
    void wanted.wait('corp', ['kubectl'], stays);
    isTold = false;
    expect(wanted.canWait('corp')).toBe(true);
  });

  it('shows no program’s name as it came', () => {
    const names = ['kube\u202ectl\u0007', ...Array.from({ length: 50 }, () => 'x'.repeat(500))];
    void wanted.wait('corp', names, stays);
    const [shown = []] = wanted.view('corp')?.callers ?? [];
    expect(shown[0]).toBe('kube\\u{202e}ctl\\u{7}');
    expect(shown).toHaveLength(6);
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThan(62);
  });
});
