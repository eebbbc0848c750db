import { makeHome, type TestHome } from '../support/home.ts';
import { baseEnvironment } from '../support/processes.ts';
import { type BenchAgent, startBenchAgent } from './bench-agent.ts';

/** A broker of its own, whose vault a passphrase opens. `prepare`: before it starts, for a config that counts as confirmed. */
export async function withBroker<T>(
  work: (home: TestHome, agent: BenchAgent) => Promise<T>,
  prepare: (home: TestHome) => void = () => undefined,
): Promise<T> {
  const home = makeHome();
  try {
    prepare(home);
    const passphrase = home.write('passphrase', 'for the bench alone, and no secret\n');
    const environment = { ...baseEnvironment(), ...home.env };
    const agent = await startBenchAgent(environment, `${home.outside}/agent.log`, [
      '--passphrase-file',
      passphrase,
    ]);
    try {
      return await work(home, agent);
    } finally {
      await agent.stop();
    }
  } finally {
    home.dispose();
  }
}
