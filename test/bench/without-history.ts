import { join } from 'node:path';
import { Disposables } from '../../main/base/disposables.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { baseEnvironment, run, start } from '../support/processes.ts';
import { type Figures, failures } from './figure.ts';
import { failedOf, type NativeTools, timePairs } from './native-tools.ts';
import { median } from './statistics.ts';

const withHistory = join(import.meta.dirname, '..', '..', 'main', 'start', 'agent.ts');
const withoutHistory = join(import.meta.dirname, 'agent-without-history.ts');

/** A broker from source, with a static token that it hands out. */
async function startOne(entry: string, ending: Disposables): Promise<TestHome> {
  const home = ending.add(makeHome());
  home.writeConfig({
    version: 1,
    accounts: { bot: { staticToken: {} } },
    clusters: { dev: { server: 'https://127.0.0.1:1', account: 'bot', withoutInfo: 'allow' } },
  });
  const passphrase = home.write('passphrase', 'a bench’s passphrase\n');
  const command = [
    '--disable-warning=ExperimentalWarning',
    '--max-semi-space-size=1',
    '--heap-growing-percent=50',
    '--expose-gc',
    entry,
  ];
  const agent = start(process.execPath, [...command, '--passphrase-file', passphrase], {
    env: { ...baseEnvironment(), ...home.env },
  });
  ending.add(agent);
  await agent.waitForLine(/agent\.listening/, 20_000);
  const set = await run(home.file('helper'), ['secret', 'set', 'bot'], { env: home.env, input: 'a-token\n' });
  if (set.code !== 0) {
    throw new Error(`the token was not taken: ${set.stderr}`);
  }
  return home;
}

/** A warm call, whole process: one broker that keeps a history against one that keeps none, in turn. */
export async function* withAgainstWithout(tools: NativeTools, count: number): Figures {
  const ending = new Disposables();
  try {
    const homes = [await startOne(withHistory, ending), await startOne(withoutHistory, ending)];
    // The same program before both, for one environment serves a pair.
    const [a = [], b = []] = homes.map((home) => [
      '/usr/bin/env',
      `LANYARD_HOME=${home.env['LANYARD_HOME']}`,
      home.file('helper'),
      'kube-credential',
      '--account',
      'bot',
      '--cluster',
      'dev',
    ]);
    const env = baseEnvironment();
    await timePairs(tools, count, a, b, env);
    const pairs = await timePairs(tools, count, a, b, env);
    yield {
      what: 'warm call, with history more than without: median of pairs',
      value: median(pairs.map((pair) => pair.a - pair.b)),
      unit: 'ms',
      reference: { what: 'the call without', value: median(pairs.map((pair) => pair.b)) },
      limit: { kind: 'atMost', value: 0.3 },
    };
    yield failures('calls with and without history that failed', failedOf(pairs));
  } finally {
    await ending.dispose();
  }
}
