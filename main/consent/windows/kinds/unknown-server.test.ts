import { expect, test } from 'vitest';
import { someQuestion } from '../../../../test/support/ui-state.ts';
import { clusterMark } from '../../../domain/naming/cluster-mark.ts';
import { nameForServer } from '../../../domain/server/new-cluster.ts';
import { formPage } from '../window-page.ts';
import { unknownServerWindow } from './unknown-server.ts';

const around = { path: '/', token: 't', until: 'soon', fault: null };
const shown = (server: string) =>
  unknownServerWindow(
    {
      board: { find: () => undefined, answer: async () => undefined } as never,
      unknownServers: { suggestedName: (address) => nameForServer(address, () => false) },
      markOf: (name) => clusterMark(name, {}, [{ match: 'prod*', color: 'red', text: undefined }]),
    },
    someQuestion('q', { kind: 'unknownServer', target: null, server }),
  ).content;

test('an unknown server has the mark of the name that is suggested, and says whose mark it is', () => {
  const content = shown('https://prod-eu.corp.example:6443');
  expect(content.fields?.[0]?.value).toMatch(/^prod/);
  expect(content.mark).toEqual({ color: 'red', text: 'prod: by the suggested name' });
  expect(formPage(content, around)).toContain('<p class="own red">prod: by the suggested name</p>');
});

test('no rule, no mark', () => {
  const content = shown('https://lab.corp.example:6443');
  expect(content.mark).toBeUndefined();
  expect(formPage(content, around)).not.toContain('class="own');
});
