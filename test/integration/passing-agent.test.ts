import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';

const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
const refused = 'lanyard: it passes\nhint: move it\n';
const runs: [args: string[], code: number, stderr: string][] = [
  [[], exitCodes.usage, refused],
  [['--install'], exitCodes.usage, refused],
  [['--uninstall'], exitCodes.good, ''],
  [['doctor'], exitCodes.unreachable, ''],
];

/** `lanyard agent` of a program that nothing lasting may name, once for each of `runs`: one process loads the broker. */
const source = `
  const { runHeadless } = await import(${at('../../main/start/run-agent.ts')});
  const { BrokerError } = await import(${at('../../main/contract/broker-error.ts')});
  const refusal = new BrokerError('app.place', 'it passes', { reason: 'usage', hint: 'move it' });
  const files = { addon: ${at('../../dist/native/lanyard.node')}.slice('file://'.length) };
  const commands = { command: ['/gone', 'agent'] };
  const ends = [];
  for (const args of JSON.parse(process.argv[1])) {
    let [code, stderr] = [null, ''];
    process.stderr.write = (text) => { stderr += code === null ? text : ''; };
    // What goes on as if it hadn’t ended says nothing that counts.
    process.exit = (given) => { code ??= given; throw new Error('it has ended'); };
    await runHeadless({ files, commands, refusal, args, env: process.env }).catch(() => undefined);
    ends.push([code, stderr]);
  }
  process.stdout.write('\\n' + JSON.stringify(ends));
`;

describe('a program that nothing lasting may name', () => {
  let home: TestHome;
  let ends: unknown[];
  beforeAll(async () => {
    home = makeHome();
    const words = ['--no-warnings', '--input-type=module', '-e', source, '--'];
    const given = JSON.stringify(runs.map(([args]) => args));
    const { code, stdout, stderr } = await run(process.execPath, [...words, given], { env: home.env });
    expect(code, stderr).toBe(0);
    ends = JSON.parse(stdout.split('\n').at(-1) ?? '');
  });
  afterAll(() => home?.dispose());

  test.each(runs)('agent %j', (args, code, stderr) => {
    expect(ends[runs.findIndex(([each]) => each === args)]).toEqual([code, stderr]);
  });
});
