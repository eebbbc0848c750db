import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, readAddress } from '../support/page-client.ts';
import { nothingLeft, openPluginStage, type PluginStage } from '../support/plugin-stage.ts';
import { credentialIn, stagePassphrase } from '../support/stage.ts';

/** A click on Renew now, where callers' variables shaped what a plugin gave (rule: cleared-environment). */
let here: PluginStage<'eks'>;
beforeAll(async () => {
  here = await openPluginStage(['eks'], { eks: { environment: ['PLUGIN_ANSWER', 'AWS_*'] } });
  here.plugin('eks').does('variable');
});
afterAll(() => here?.dispose());

async function click(): Promise<Record<string, unknown>> {
  const { host, ticket } = readAddress((await here.stage.lanyard(['ui', '--no-open'])).stdout);
  const { page } = await openPage(host, ticket);
  page.send({ kind: 'call', id: 1, name: 'cluster.renew', input: { cluster: 'eks' } });
  for (;;) {
    const message = await page.next();
    if (message['kind'] === 'reply' || message['kind'] === 'failed') {
      page.socket.terminate();
      return message;
    }
  }
}

const bundle = '/home/nobody/a-ca-bundle.pem';
const first = { PLUGIN_ANSWER: 'first', AWS_CA_BUNDLE: bundle, LD_PRELOAD: '/nowhere/evil.so', MINE: '1' };
const second = { PLUGIN_ANSWER: 'second' };

test('a click renews each credential in use with its own callers’ variables, and shows their names alone', async () => {
  const plugin = here.plugin('eks');
  for (const env of [second, first]) {
    expect((await here.ask('eks', { env })).code).toBe(0);
  }
  const answer = await click();
  expect(answer).toMatchObject({
    output: {
      renewed: [
        { variables: ['AWS_CA_BUNDLE', 'PLUGIN_ANSWER'], expiresAt: expect.any(Number), failure: null },
        { variables: ['PLUGIN_ANSWER'], expiresAt: expect.any(Number), failure: null },
      ],
    },
  });
  const again = plugin.runs().slice(2);
  const found = again.map(({ env }) => [
    env['PLUGIN_ANSWER'],
    env['AWS_CA_BUNDLE'],
    env['LD_PRELOAD'],
    env['MINE'],
  ]);
  expect(found.sort()).toEqual([
    ['first', bundle, undefined, undefined],
    ['second', undefined, undefined, undefined],
  ]);
  const shown = await here.stage.lanyard(['plugin', 'show', 'eks']);
  expect(shown.stdout).toMatch(/AWS_CA_BUNDLE, PLUGIN_ANSWER$/m);
  const said = `${JSON.stringify(answer)}${shown.stdout}${here.stage.agent.log()}`;
  expect([said.includes(bundle), said.includes(plugin.tokenFor('first'))]).toEqual([false, false]);
  // Each caller gets what its own variables gave, without another run.
  expect(credentialIn(await here.ask('eks', { env: first })).token).toBe(plugin.tokenFor('first'));
  expect(credentialIn(await here.ask('eks', { env: second })).token).toBe(plugin.tokenFor('second'));
  expect(here.runs('eks')).toBe(4);
});

test('one that fails doesn’t keep the others, and a lock forgets the variables', async () => {
  const plugin = here.plugin('eks');
  expect((await here.ask('eks', { env: { PLUGIN_ANSWER: 'first', AWS_PROFILE: 'gone' } })).code).toBe(0);
  plugin.does('exit:2');
  expect(await click()).toMatchObject({ failure: { code: 'execPlugin.failed' } });
  plugin.does('variable');
  const before = here.runs('eks');
  await here.stage.lanyard(['lock']);
  const passphrase = here.stage.home.write('pass', stagePassphrase);
  expect((await here.stage.lanyard(['unlock', '--passphrase-file', passphrase])).code).toBe(0);
  expect(await click()).toMatchObject({ failure: { code: 'grant.none' } });
  expect(here.runs('eks')).toBe(before);
  await nothingLeft(plugin);
});
