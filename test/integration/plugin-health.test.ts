import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { openPage, readAddress } from '../support/page-client.ts';
import type { TestPlugin } from '../support/plugin.ts';
import { nothingLeft, openPluginStage, type PluginStage } from '../support/plugin-stage.ts';
import { credentialIn, mustBeGood, type Stage, stagePassphrase, until } from '../support/stage.ts';
import { unlock } from '../support/unlock.ts';

const minute = 60_000;
const day = 86_400_000;
let here: PluginStage<'certs' | 'eks'>;
let stage: Stage;
let plugin: TestPlugin;

beforeAll(async () => {
  here = await openPluginStage(['certs', 'eks'], { eks: { environment: ['PLUGIN_ANSWER', 'AWS_*'] } });
  stage = here.stage;
  plugin = here.plugin('certs');
  here.plugin('eks').does('variable');
});
afterAll(() => here?.dispose());

/** From now on the plugin gives this certificate of ten days, which ends in ten minutes: in its last hundredth. */
async function answerCertificate(): Promise<string> {
  const { chainPem, keyPem } = await issueClientCertificate(stage.clientCa, {
    commonName: 'carol',
    notBefore: new Date(Date.now() - 10 * day),
    notAfter: new Date(Date.now() + 10 * minute),
  });
  plugin.answers({ token: null, clientCertificateData: chainPem, clientKeyData: keyPem, expiresIn: 590 });
  return chainPem;
}

async function ask() {
  return credentialIn(await here.ask('certs'));
}

async function stdout(...args: string[]): Promise<string> {
  const done = await stage.lanyard(args);
  mustBeGood(done);
  return done.stdout;
}

test('KEP-541/metrics, KEP-541/objectives, KEP-541/failure-modes: what plugins do shows in the metrics, in plugin list and show, and in a cluster’s history', async () => {
  await answerCertificate();
  await ask();
  const second = await answerCertificate();
  await until(async () => ((await ask()).clientCertificateData === second ? true : null), 'the next one');
  // The one held is still good. From here on it fails again and again, ahead of need.
  plugin.does('exit:2');
  const failed =
    /^rest_client_exec_plugin_call_total\{call_status="plugin_execution_error",code="2"\} [1-9]/m;
  const metrics = await until(async () => {
    expect((await ask()).clientCertificateData).toBe(second);
    const text = await stdout('metrics');
    return failed.test(text) ? text : null;
  }, 'a run that fails');
  expect(metrics).toMatch(/^rest_client_exec_plugin_call_total\{call_status="no_error",code="0"\} [1-9]/m);
  expect(metrics).toContain('\nrest_client_exec_plugin_certificate_rotation_age_bucket{le="604800"} 0\n');
  expect(metrics).toContain('\nrest_client_exec_plugin_certificate_rotation_age_bucket{le="2.592e+06"} 1\n');
  expect(metrics).toMatch(/^rest_client_exec_plugin_ttl_seconds [1-9]\d\d(\.\d+)?$/m);
  expect(metrics).toMatch(
    /^lanyard_exec_plugin_duration_seconds_count\{account="certs",outcome="plugin_execution_error"\} [1-9]/m,
  );

  const shown = JSON.parse(await stdout('plugin', 'show', 'certs', '--json'));
  expect(shown).toMatchObject({
    calls: { unusable: 0, isMet: false },
    rotations: { within: 1, early: 0, late: 0, idle: 0, isMet: true },
    held: [{ endIs: 'promised' }],
    program: { path: plugin.command, problem: null },
    said: [
      {
        problem: expect.stringContaining('exit code 2'),
        lines: [expect.stringContaining('it failed with 2')],
      },
    ],
  });
  expect(shown.calls.failed).toBeGreaterThan(0);
  expect(shown.calls.runs).toBeGreaterThan(shown.calls.failed + 1);
  expect(await stdout('plugin', 'show', 'certs')).toMatch(
    /[1-9]\d* of \d+ runs failed .*: objective 0\.01% not met/,
  );
  expect(await stdout('plugin', 'list')).toMatch(/^certs .* 1 of 1 in time +not met: runs$/m);
  const history = await stdout('history', 'certs');
  expect(history).toContain('the plugin of certs answered');
  expect(history).toMatch(/the plugin of certs failed in .* \(exit code 2\)/);
  expect(history).toContain('new certificate, valid until');
});

/** Where callers’ variables shaped what a plugin gave (rule: cleared-environment). */
describe('a click on Renew now', () => {
  async function click(): Promise<Record<string, unknown>> {
    const { host, ticket } = readAddress((await stage.lanyard(['ui', '--no-open'])).stdout);
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

  test('renews each credential in use with its own callers’ variables, and shows their names alone', async () => {
    const eks = here.plugin('eks');
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
    const again = eks.runs().slice(2);
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
    const shown = await stage.lanyard(['plugin', 'show', 'eks']);
    expect(shown.stdout).toMatch(/AWS_CA_BUNDLE, PLUGIN_ANSWER$/m);
    const said = `${JSON.stringify(answer)}${shown.stdout}${stage.agent.log()}`;
    expect([said.includes(bundle), said.includes(eks.tokenFor('first'))]).toEqual([false, false]);
    // Each caller gets what its own variables gave, without another run.
    expect(credentialIn(await here.ask('eks', { env: first })).token).toBe(eks.tokenFor('first'));
    expect(credentialIn(await here.ask('eks', { env: second })).token).toBe(eks.tokenFor('second'));
    expect(here.runs('eks')).toBe(4);
  });

  test('one that fails doesn’t keep the others; a lock forgets the variables, and shows nothing of what a plugin said', async () => {
    const eks = here.plugin('eks');
    expect((await here.ask('eks', { env: { PLUGIN_ANSWER: 'first', AWS_PROFILE: 'gone' } })).code).toBe(0);
    eks.does('exit:2');
    expect(await click()).toMatchObject({ failure: { code: 'execPlugin.failed' } });
    eks.does('variable');
    const before = here.runs('eks');
    await stdout('lock');
    const text = await stdout('plugin', 'show', 'certs');
    expect(text).not.toContain('it failed with');
    expect(text).toContain('execPlugin.failed');
    await unlock(stage.home, stagePassphrase);
    expect(await click()).toMatchObject({ failure: { code: 'grant.none' } });
    expect(here.runs('eks')).toBe(before);
    await nothingLeft(eks);
  });
});
