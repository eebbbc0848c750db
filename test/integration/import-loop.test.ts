import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { largeKubeconfig } from '../support/large-kubeconfig.ts';
import { isLong } from '../support/long.ts';
import { openPage, type PageClient, readAddress } from '../support/page-client.ts';
import { credentialIn, mustBeGood, Stage } from '../support/stage.ts';
import { makeYear } from '../support/year-of-history.ts';

// A page that was taken over asks in a loop for what costs most, and kubectl asks beside it.

let stage: Stage;
let page: PageClient;

beforeAll(async () => {
  stage = await Stage.open({
    extend: (_, { home }) =>
      makeYear(home.file('history'), { rows: isLong ? 30_000 : 5_000, now: Date.now() }),
  });
  await stage.setSecrets();
  const invited = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(invited);
  const { host, ticket } = readAddress(invited.stdout);
  ({ page } = await openPage(host, ticket));
});
afterAll(() => stage?.dispose());

let lastId = 0;
function call(name: string, input: unknown): number {
  lastId += 1;
  page.send({ kind: 'call', id: lastId, name, input });
  return lastId;
}
const plan = (file: string) =>
  call('import.plan', { files: [file], contexts: null, inPlace: true, offlineAccess: false });
const lanes = () => {
  const until = Date.now();
  return call('lanes', { clusters: ['prod'], since: until - 365 * 86_400_000, until, most: 400 });
};

test('a large kubeconfig in a layout that takes long to read is left to the command line', async () => {
  const { text } = await largeKubeconfig({ contexts: 1000, bytes: 3_000_000 });
  const file = stage.home.write('config.json', JSON.stringify(parse(text)));
  const id = plan(file);
  let answer = await page.next();
  while (answer['id'] !== id || answer['kind'] === 'progress') {
    answer = await page.next();
  }
  const { problems, contexts } = answer['output'] as { problems: unknown[]; contexts: unknown[] };
  expect(problems).toMatchObject([{ message: expect.stringContaining('lanyard kubeconfig import') }]);
  expect(contexts.length).toBe(0);
});

test('each kubectl is answered before the plans and lanes that a page asked for earlier are', async () => {
  const { text } = await largeKubeconfig({ contexts: 500, bytes: 1_500_000 });
  const file = stage.home.write('config', text);
  const asked = new Map<number, () => number>();
  const ask = (again: () => number) => asked.set(again(), again);
  const answered = new Set<number>();
  let failed: unknown = null;
  let isOver = false;
  const first = Promise.withResolvers<void>();
  const loop = async () => {
    while (!isOver) {
      const { kind, id, failure } = await page.next();
      const again = asked.get(Number(id));
      if (!again || kind === 'progress') {
        continue;
      }
      failed ??= failure;
      answered.add(Number(id));
      ask(again);
      first.resolve();
    }
  };
  for (let each = 0; each < 30; each += 1) {
    ask(() => plan(file));
  }
  for (let each = 0; each < 30; each += 1) {
    ask(lanes);
  }
  const looping = loop().catch((error: unknown) => first.reject(error));
  await first.promise;
  for (let each = 0; each < (isLong ? 10 : 3); each += 1) {
    const before = [...asked.keys()].filter((id) => !answered.has(id));
    expect(credentialIn(await stage.ask('bot')).token).toBe(stage.botToken);
    expect(before.filter((id) => !answered.has(id)).length).toBeGreaterThan(0);
  }
  expect(failed ?? null).toBeNull();
  isOver = true;
  page.socket.terminate();
  await looping;
});
