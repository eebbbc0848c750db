import { describe, expect, it } from 'vitest';
import { answerEnd, answerScope, approvalPolicy, type RequesterIdentity } from './approval.ts';

const subject = { account: 'corp', target: 'prod', shape: '{"server":"a"}' };
const asker: RequesterIdentity = {
  session: { leaderPid: 50, startTime: '7' },
  pidNamespace: 'pid:[1]',
  origin: 'local',
  sure: true,
};

it.each<[string, object]>([
  ['never', { kind: 'never' }],
  ['always', { kind: 'always' }],
  ['perTerminal', { kind: 'perTerminal' }],
  ['15m', { kind: 'duration', milliseconds: 900_000 }],
  ['1d', { kind: 'duration', milliseconds: 86_400_000 }],
  ['sometimes', { kind: 'always' }],
  ['', { kind: 'always' }],
])('reads "%s"', (text, policy) => {
  expect(approvalPolicy(text)).toEqual(policy);
});

describe('whom an answer covers (rule: caller-is-a-label)', () => {
  // What the later caller has otherwise: whether it inherits under perTerminal, and under a duration.
  it.each<[string, Partial<RequesterIdentity>, boolean, boolean]>([
    ['nothing', {}, true, true],
    ['another terminal', { session: { leaderPid: 51, startTime: '7' } }, false, true],
    ['a terminal whose leader has the old pid', { session: { leaderPid: 50, startTime: '8' } }, false, true],
    ['an SSH origin', { origin: 'ssh' }, false, false],
    ['a container', { origin: 'container' }, false, false],
    ['another pid namespace', { pidNamespace: 'pid:[2]' }, false, false],
    ['no known namespace', { pidNamespace: null }, false, false],
    ['a session whose leader has ended', { session: null }, false, true],
    ['a doubt who it is', { sure: false }, false, false],
  ])('of a caller with another: %s', (_, change, perTerminal, duration) => {
    const later = { ...asker, ...change };
    for (const [text, inherits] of [
      ['perTerminal', perTerminal],
      ['15m', duration],
      ['always', false],
    ] as const) {
      const policy = approvalPolicy(text);
      const [first, second] = [answerScope(policy, subject, asker), answerScope(policy, subject, later)];
      expect([text, second !== null && first === second]).toEqual([text, inherits]);
    }
  });

  it('is about one account, one cluster and its shape', () => {
    const policy = approvalPolicy('15m');
    const scopes = [
      subject,
      { ...subject, account: 'ops' },
      { ...subject, target: 'test' },
      { ...subject, shape: '{"server":"b"}' },
    ].map((each) => answerScope(policy, each, asker));
    expect(new Set(scopes).size).toBe(4);
  });
});

it('counts to the end of the duration, or until it is forgotten', () => {
  expect(answerEnd(approvalPolicy('15m'), 1000)).toBe(901_000);
  expect(answerEnd(approvalPolicy('perTerminal'), 1000)).toBeNull();
});
