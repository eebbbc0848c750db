import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePlugin, type TestPlugin } from './plugin.ts';
import { run } from './processes.ts';

let plugin: TestPlugin;
beforeEach(() => {
  plugin = makePlugin();
});
afterEach(() => plugin.dispose());

it('answers with the run’s number, and notes how it was run', async () => {
  const info = { apiVersion: 'v', spec: { interactive: false } };
  const ask = (...args: string[]) =>
    run(plugin.command, args, { env: { KUBERNETES_EXEC_INFO: JSON.stringify(info) }, cwd: '/' });
  const first = JSON.parse((await ask('a b', 'ü')).stdout);
  const second = JSON.parse((await ask()).stdout);
  expect([first.status.token, second.status.token]).toEqual([plugin.token(1), plugin.token(2)]);
  expect(Date.parse(first.status.expirationTimestamp) - Date.now()).toBeGreaterThan(3_500_000);
  const [noted] = plugin.runs();
  expect(noted).toMatchObject({ number: 1, args: ['a b', 'ü'], info, cwd: '/', stdin: 'other', ended: true });
  expect(Object.keys(noted?.env ?? {}).sort()).toEqual(['KUBERNETES_EXEC_INFO', 'LANG', 'PATH', 'TERM']);
});

it('does what it is told: by the folder, and by an argument before that', async () => {
  plugin.does('exit:2');
  expect(await run(plugin.command)).toMatchObject({ code: 2, stdout: '' });
  expect(JSON.parse((await run(plugin.command, ['do=no-expiry'])).stdout).status).toEqual({
    token: plugin.token(2),
  });
  const said = await run(plugin.command, ['do=variable'], { env: { PLUGIN_ANSWER: 'x&\\1' } });
  expect(JSON.parse(said.stdout.replaceAll('\\', '\\\\')).status.token).toBe(plugin.tokenFor('x&\\1'));
  const { stdout } = await run(plugin.command, ['do=large']);
  expect(JSON.parse(stdout).status.token).toHaveLength(2 * 1024 * 1024);
});

it.runIf(process.platform === 'linux')('finds what it left behind, also out of its session', async () => {
  await run(plugin.command, ['do=escaping']);
  expect(plugin.processes().length).toBeGreaterThan(0);
  plugin.does('held');
  const held = run(plugin.command);
  plugin.release();
  expect((await held).code).toBe(0);
});

it('gives each of many parallel runs its own number', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => run(plugin.command)));
  const tokens = new Set(all.map(({ stdout }) => JSON.parse(stdout).status.token));
  expect(tokens.size).toBe(12);
  expect(plugin.runs()).toHaveLength(12);
});
