import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { makeHome } from '../support/home.ts';
import { run } from '../support/processes.ts';

const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

/** `lanyard agent` of a program that nothing lasting may name. */
const source = `
  const { runHeadless } = await import(${at('../../main/start/run-agent.ts')});
  const { BrokerError } = await import(${at('../../main/contract/broker-error.ts')});
  const refusal = new BrokerError('app.place', 'it passes', { reason: 'usage', hint: 'move it' });
  const files = { addon: ${at('../../dist/native/lanyard.node')}.slice('file://'.length) };
  const commands = { command: ['/gone', 'agent'] };
  await runHeadless({ files, commands, refusal, args: process.argv.slice(1), env: process.env });
`;

describe('a program that nothing lasting may name', () => {
  it.each<[string[], number, string]>([
    [[], exitCodes.usage, 'lanyard: it passes\nhint: move it\n'],
    [['--install'], exitCodes.usage, 'lanyard: it passes\nhint: move it\n'],
    [['--uninstall'], exitCodes.good, ''],
    [['doctor'], exitCodes.unreachable, ''],
  ])('agent %j', async (args, code, stderr) => {
    const home = makeHome();
    try {
      const words = ['--no-warnings', '--input-type=module', '-e', source, '--', ...args];
      const ended = await run(process.execPath, words, { env: home.env });
      expect([ended.code, ended.stderr]).toEqual([code, stderr]);
    } finally {
      home.dispose();
    }
  });
});
