import { makeHome, type TestHome } from '../support/home.ts';
import { baseEnvironment } from '../support/processes.ts';
import { type BenchAgent, startBenchAgent } from './bench-agent.ts';

/** A broker with a home to itself, whose vault a passphrase opens. */
export interface OwnBroker extends AsyncDisposable {
  home: TestHome;
  agent: BenchAgent;
}

/** Starts one. `prepare`: before it starts, for a config that counts as confirmed. */
export async function startOwnBroker(
  prepare: (home: TestHome) => void = () => undefined,
): Promise<OwnBroker> {
  const home = makeHome();
  try {
    prepare(home);
    const passphrase = home.write('passphrase', 'for the bench alone, and no secret\n');
    const environment = { ...baseEnvironment(), ...home.env };
    const words = ['--passphrase-file', passphrase];
    const agent = await startBenchAgent(environment, `${home.outside}/agent.log`, words);
    return {
      home,
      agent,
      async [Symbol.asyncDispose]() {
        await agent.stop();
        home.dispose();
      },
    };
  } catch (error) {
    home.dispose();
    throw error;
  }
}
