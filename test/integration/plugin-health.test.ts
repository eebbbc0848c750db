import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import { credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';

const minute = 60_000;
const day = 86_400_000;
let stage: Stage;
let plugin: TestPlugin;

beforeAll(async () => {
  stage = await Stage.open({
    extend: ({ accounts, clusters }, { home }) => {
      plugin = makePlugin({ parent: home.outside });
      accounts['certs'] = plugin.account();
      clusters['prod-certs'] = { ...clusters['prod'], account: 'certs' };
    },
  });
});
afterAll(async () => {
  plugin.dispose();
  await stage.dispose();
});

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
  return credentialIn(await stage.ask('certs', stage.execInfo(), { args: ['--cluster', 'prod-certs'] }));
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
  const history = await stdout('history', 'prod-certs');
  expect(history).toContain('the plugin of certs answered');
  expect(history).toMatch(/the plugin of certs failed in .* \(exit code 2\)/);
  expect(history).toContain('new certificate, valid until');
});

test('nothing of what a plugin said is shown while locked', async () => {
  await stdout('lock');
  const text = await stdout('plugin', 'show', 'certs');
  expect(text).not.toContain('it failed with');
  expect(text).toContain('execPlugin.failed');
});
