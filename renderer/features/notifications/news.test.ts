import { describe, expect, it } from 'vitest';
import { newsBetween } from './news.ts';

type Seen = Parameters<typeof newsBetween>[0];
const all = { questions: true, logins: true };
const accounts = (states: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(states).map(([name, state]) => [name, { name, state, problem: null }]),
  ) as unknown as Seen['accounts'];
const questions = (...ids: string[]) =>
  Object.fromEntries(
    ids.map((id) => [
      id,
      {
        id,
        target: { kind: 'cluster', name: 'prod' },
        server: 'https://prod',
        caller: { lineage: ['kubectl'] },
      },
    ]),
  ) as unknown as Seen['questions'];
const seen = (states: Record<string, string>, ...ids: string[]): Seen => ({
  accounts: accounts(states),
  questions: questions(...ids),
});

describe('news', () => {
  it('is a question that wasn’t there', () => {
    const news = newsBetween(seen({}, 'a'), seen({}, 'a', 'b'), all);
    expect(news).toMatchObject([{ tag: 'question b', title: 'kubectl waits for your answer' }]);
  });

  it.each([
    ['ready', 'loginNeeded', 1],
    ['ready', 'interrupted', 1],
    ['loginNeeded', 'loginNeeded', 0],
    ['loginNeeded', 'interrupted', 0],
    ['ready', 'ready', 0],
    // Nothing was known about it while it was locked.
    ['locked', 'loginNeeded', 0],
  ])('is an account that was %s and is %s: %i', (before, now, count) => {
    expect(newsBetween(seen({ corp: before }), seen({ corp: now }), all)).toHaveLength(count);
  });

  it('is not an account that has just been made', () => {
    expect(newsBetween(seen({}), seen({ corp: 'loginNeeded' }), all)).toEqual([]);
  });

  it('is a token that waits now', () => {
    const card = (waitsAtToken: boolean): Seen => ({
      accounts: { card: { name: 'card', state: 'ready', waitsAtToken } } as unknown as Seen['accounts'],
      questions: {},
    });
    const [news, ...more] = newsBetween(card(false), card(true), all);
    expect(news).toMatchObject({ tag: 'touch card', title: 'The token of card waits for you' });
    expect(more).toEqual([]);
    expect(newsBetween(card(true), card(true), all)).toEqual([]);
    expect(newsBetween(card(false), card(true), { ...all, logins: false })).toEqual([]);
  });

  it('is only what is wanted', () => {
    const [before, now] = [seen({ corp: 'ready' }), seen({ corp: 'loginNeeded' }, 'a')];
    expect(newsBetween(before, now, { questions: false, logins: true })).toHaveLength(1);
    expect(newsBetween(before, now, { questions: true, logins: false })).toMatchObject([
      { tag: 'question a' },
    ]);
  });
});
