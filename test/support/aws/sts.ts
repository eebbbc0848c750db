import { join } from 'node:path';
import { start } from '../processes.ts';
import { awsPython } from './aws-cli.ts';

/**
 * A local STS: moto’s. Its limits: it knows no users, so it takes any access key, secret key, session token and web
 * identity token; any role may be assumed, but by credentials that are over too; what it gives is good for an hour, or for as
 * long as was asked.
 */
export interface Sts {
  /** `http://127.0.0.1:PORT`. */
  readonly endpoint: string;
  dispose(): Promise<void>;
}

/** Account 123456789012, as moto has it. */
export async function startSts(): Promise<Sts> {
  const folder = await awsPython();
  const server = start(join(folder, 'bin', 'moto_server'), ['-H', '127.0.0.1', '-p', '0']);
  try {
    const [, endpoint = ''] = await server.waitForLine(/Running on (http:\/\/127\.0\.0\.1:\d+)/);
    return { endpoint, dispose: () => server.dispose() };
  } catch (error) {
    await server.dispose();
    throw error;
  }
}
