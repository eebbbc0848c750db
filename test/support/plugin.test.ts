import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePlugin, type TestPlugin } from './plugin.ts';
import { run } from './processes.ts';

let plugin: TestPlugin;
beforeEach(() => {
  plugin = makePlugin();
});
afterEach(() => plugin.dispose());

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
