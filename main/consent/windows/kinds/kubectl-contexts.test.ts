import { expect, test } from 'vitest';
import type { KubectlWay } from '../../../kubeconfig/user-contexts/consent.ts';
import { kubectlContextsWindow } from './kubectl-contexts.ts';

const file = '/home/me/.kube/config';

function setUp(start: KubectlWay | null, fault: string | null = null) {
  let way = start;
  const done: unknown[] = [];
  const open = () =>
    kubectlContextsWindow({
      gate: () => null,
      knownFiles: () => [file],
      managed: '/h/kubeconfig',
      userContexts: {
        way: () => way,
        fault: () => null,
        faultOf: async () => fault,
        choose: async (next: KubectlWay) => {
          way = next;
          done.push(next);
        },
        takeOut: async (of: string) => {
          done.push(`out of ${of}`);
          return null;
        },
      } as never,
    });
  return { open, done, answer: (next: KubectlWay) => (way = next) };
}

test('Yes adds contexts to the user’s file, the other answer leaves it and takes Lanyard’s own', async () => {
  const { open, done } = setUp(null);
  const window = await open();
  expect(window.content.heading).toBe(`Add contexts to ${file}?`);
  expect(done).toEqual([]);
  expect(await window.submit({}, 'yes')).toMatchObject({ good: true });
  expect(await window.submit({}, 'own')).toMatchObject({ good: true });
  expect(done).toEqual([
    { kind: 'file', file, list: [file] },
    { kind: 'own', list: [file] },
  ]);
});

test('of a file that another program makes only Lanyard’s own is offered, with the reason', async () => {
  const { open, done } = setUp({ kind: 'file', file, list: [file] }, 'is managed by chezmoi');
  const { content, submit } = await open();
  expect([content.text[0], content.yes]).toEqual([
    `${file} is managed by chezmoi. Lanyard leaves it as it is.`,
    'Use Lanyard’s own kubeconfig',
  ]);
  await submit({}, 'yes');
  expect(done).toEqual([{ kind: 'own', list: [file] }]);
});

test('where they are added it asks to remove them', async () => {
  const { open, done } = setUp({ kind: 'file', file, list: [file] });
  const window = await open();
  expect(window.content.yes).toBe('Remove contexts');
  await window.refuse();
  await window.submit({}, 'yes');
  expect(done).toEqual([`out of ${file}`]);
});

test('No is remembered; another answer meanwhile ends the window', async () => {
  const { open, done, answer } = setUp(null);
  const window = await open();
  expect(await window.over()).toBeNull();
  await window.refuse();
  expect(done).toEqual([{ kind: 'none' }]);
  answer({ kind: 'own', list: [] });
  expect(await window.over()).toBe('Another answer was given meanwhile.');
});
