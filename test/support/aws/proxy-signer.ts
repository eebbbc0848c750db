import { join } from 'node:path';
import { createCargo } from '../../../scripts/cargo.ts';
import { run } from '../processes.ts';
import type { ReceivedRequest, SignedAgain } from './signed-request.ts';

/** What is signed, with what, and when. */
export interface ToSign {
  request: ReceivedRequest;
  body: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  service: string;
  /** Since 1970. */
  seconds: number;
}

export interface SignedByProxy extends SignedAgain {
  /** As the proxy would send it; empty: none. */
  query: string;
  stringToSign: string;
}

/**
 * Signs with the proxy’s own code (native-helper/proxy/examples/sign). Builds it the first time, which takes minutes. Throws
 * where cargo can’t, or where a request has a broken escape.
 */
export async function signWithProxy(requests: readonly ToSign[]): Promise<SignedByProxy[]> {
  const cargo = createCargo(join(import.meta.dirname, '..', '..', '..'));
  const program = cargo.buildDataPlaneExample(cargo.hostTarget(), 'lanyard-proxy', 'sign');
  const lines = requests.map(({ request: { method, target, headers }, ...asked }) => {
    const [path = '', query = ''] = target.split(/\?(.*)/s);
    return JSON.stringify({ ...asked, method, path, query, headers });
  });
  const done = await run(program, [], { input: lines.map((line) => `${line}\n`).join('') });
  if (done.code !== 0) {
    throw new Error(`sign: ${done.stderr}`);
  }
  return done.stdout.split('\n', lines.length).map((line) => JSON.parse(line));
}
