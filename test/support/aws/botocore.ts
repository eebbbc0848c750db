import { join } from 'node:path';
import { run } from '../processes.ts';
import { awsPython } from './aws-cli.ts';
import {
  type Authorization,
  type ReceivedRequest,
  type SignedAgain,
  type SigningKeys,
  valuesOf,
} from './signed-request.ts';

/** What was received, what it said of its signature, and the keys that it should have been made with. */
export type ToSignAgain = readonly [ReceivedRequest, Authorization, SigningKeys];

/** Signs again with botocore itself: the same headers, for the same scope and instant. */
export async function signWithBotocore(requests: readonly ToSignAgain[]): Promise<SignedAgain[]> {
  const folder = await awsPython();
  const lines = requests.map(([received, { region, service, signedHeaders }, keys]) => {
    const { accessKeyId, secretAccessKey, sessionToken = null } = keys;
    return JSON.stringify({
      method: received.method,
      url: `https://${valuesOf(received, 'host')[0]}${received.target}`,
      // It takes the host from the address.
      headers: received.headers.filter(([name]) => name !== 'host' && signedHeaders.includes(name)),
      date: valuesOf(received, 'x-amz-date')[0],
      ...{ region, service, accessKeyId, secretAccessKey, sessionToken },
    });
  });
  const script = join(import.meta.dirname, 'sign_again.py');
  const done = await run(join(folder, 'bin', 'python'), [script], { input: lines.join('\n') });
  if (done.code !== 0) {
    throw new Error(`botocore: ${done.stderr}`);
  }
  return done.stdout.split('\n', lines.length).map((line) => JSON.parse(line));
}
