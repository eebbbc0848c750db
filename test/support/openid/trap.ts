import type { IncomingHttpHeaders } from 'node:http';
import { close, createListener, listen } from './listener.ts';

/** A server that nobody should ask: plain http on loopback, and what it got. */
export interface Trap {
  readonly address: string;
  readonly requests: { url: string; headers: IncomingHttpHeaders; body: string }[];
  dispose(): Promise<void>;
}

export async function startTrap(): Promise<Trap> {
  const requests: Trap['requests'] = [];
  const { server } = await createListener(null, async (request, response) => {
    let body = '';
    for await (const piece of request) {
      body += String(piece);
    }
    requests.push({ url: request.url ?? '', headers: request.headers, body });
    response.end('{}');
  });
  const port = await listen(server, 0);
  return { address: `http://127.0.0.1:${port}`, requests, dispose: () => close(server) };
}
