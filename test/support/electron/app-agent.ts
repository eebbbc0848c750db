import { type AgentOptions, agentOf, type TestAgent } from '../agent.ts';
import { unlock } from '../unlock.ts';
import { type AppProgram, startApp } from './program.ts';

/** The built app on the stand-in, as the broker of a test. */
export interface AppAgent extends TestAgent {
  readonly app: AppProgram;
}

/** Starts the app hidden, and opens its vault as a person would who has a passphrase. */
export async function startAppAgent({ home, passphrase, env = {}, args }: AgentOptions): Promise<AppAgent> {
  const began = performance.now();
  const app = await startApp({ home, env, ...(args && { words: args }) });
  const { running } = app;
  try {
    await unlock(home, passphrase);
  } catch (error) {
    await app.dispose();
    throw error;
  }
  return { ...agentOf(running, began), app, dispose: () => app.dispose() };
}
