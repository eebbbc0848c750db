import { expect, test } from 'vitest';
import { someQuestion } from '../../../../test/support/ui-state.ts';
import { formPage } from '../window-page.ts';
import { approvalWindow } from './approval.ts';

const around = { path: '/', token: 't', until: 'soon', fault: null };
const shown = async (called: { displayName: string | null; mark: { color: 'red'; text: string } | null }) => {
  const question = someQuestion('q', {
    target: { kind: 'cluster', name: 'evil' },
    rows: [['cluster', '"evil"']],
  });
  const deps = {
    board: { find: () => question, answer: async () => undefined },
    subjectOf: async () => null,
    calledOf: () => called,
  };
  return (await approvalWindow(deps as never, question)).content;
};

test('a cluster’s display name is beside its name, never in its place', async () => {
  const content = await shown({ displayName: 'prod"; safe', mark: null });
  expect(content.heading).toContain('evil');
  expect(content.heading).not.toContain('safe');
  expect(content.rows).toEqual([
    ['called', '"prod\\"; safe"'],
    ['cluster', '"evil"'],
  ]);
  expect(content.mark).toBeUndefined();
});

test('its mark has a text, and no markup', async () => {
  const page = formPage(await shown({ displayName: null, mark: { color: 'red', text: '<b>prod' } }), around);
  expect(page).toContain('<p class="own red">&lt;b&gt;prod</p>');
});
