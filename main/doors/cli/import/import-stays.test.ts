import { expect, it } from 'vitest';
import type { PlannedCluster, PlannedUser } from '../../../domain/import/import-plan.ts';
import { staysText } from './import-stays.ts';

const user = (name: string, becomes: object) => ({ user: name, becomes }) as PlannedUser;
const context = (name: string, becomes: object) => ({ context: name, becomes }) as PlannedCluster;
const left = (reason: string) => ({ left: reason });

it('tells each reason once, with all whom it keeps', () => {
  const users = [user('bot', left('it has a password')), user('ops', { account: 'ops' })];
  const clusters = [
    context('prod', left('it has a password')),
    context('dev', left('no server\u001b[2J')),
    context('test', { cluster: 'test' }),
  ];
  expect(staysText({ users, clusters })).toEqual([
    'Not imported:\n  user bot, context prod: it has a password\n  context dev: no server\\u{1b}[2J',
  ]);
});

it('says nothing where all is taken', () => {
  expect(staysText({ users: [user('ops', { account: 'ops' })], clusters: [] })).toEqual([]);
});

it('is short for thousands', () => {
  const users = Array.from({ length: 1000 }, (_, index) => user(`u${index}`, left(`why ${index % 50}`)));
  const [text = ''] = staysText({ users, clusters: [] });
  expect(text.split('\n')).toHaveLength(42);
  expect(text).toContain(
    'user u0, user u50, user u100, user u150, user u200, user u250, user u300, user u350 and 12 more: why 0\n',
  );
  expect(text).toContain('… and 10 more reasons');
});
