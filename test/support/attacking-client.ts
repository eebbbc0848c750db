import tls from 'node:tls';
import { type Frame, flags, frame, frameReader, frameTypes, headerBlock, preface } from './http2-frames.ts';
import type { RequestProxy } from './request-proxy.ts';

/** A client that writes what it wants, over TLS. */
export interface AttackingClient {
  readonly socket: tls.TLSSocket;
  /** Resolves once the proxy has ended the connection; with all text that came. */
  readonly closed: Promise<string>;
}

export async function connectTo(
  proxy: RequestProxy,
  protocol: 'h2' | 'http/1.1',
  more: tls.ConnectionOptions = {},
): Promise<AttackingClient> {
  const socket = tls.connect({
    host: '127.0.0.1',
    port: proxy.port,
    ca: proxy.ca,
    ALPNProtocols: [protocol],
    ...more,
  });
  let text = '';
  socket.on('data', (data) => {
    text += data.toString('latin1');
  });
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  // That it is cut off is what is expected.
  socket.on('error', () => undefined);
  await Promise.race([new Promise((resolve) => socket.on('secureConnect', resolve)), closed]);
  return { socket, closed };
}

/** One that speaks HTTP/2 by frames. */
export interface AttackingHttp2 extends AttackingClient {
  readonly frames: Frame[];
  /** A request’s head. */
  head(stream: number, more?: HeadOptions): Buffer;
}

export interface HeadOptions {
  method?: string;
  path?: string;
  authority?: string;
  token?: string | null;
  fields?: readonly (readonly [string, string])[];
  flags?: number;
}

export async function connectHttp2(proxy: RequestProxy): Promise<AttackingHttp2> {
  const client = await connectTo(proxy, 'h2');
  const frames: Frame[] = [];
  client.socket.on(
    'data',
    frameReader((heard) => frames.push(heard)),
  );
  client.socket.write(Buffer.concat([preface, frame(frameTypes.settings, 0, 0)]));
  const own = `127.0.0.1:${proxy.port}`;
  const head = (
    stream: number,
    { flags: flag = flags.endHeaders | flags.endStream, ...more }: HeadOptions = {},
  ) => {
    const {
      method = 'GET',
      path = '/c/prod/a',
      authority = own,
      token = proxy.token('prod'),
      fields = [],
    } = more;
    const block = headerBlock([
      [':method', method],
      [':scheme', 'https'],
      [':authority', authority],
      [':path', path],
      ...(token === null ? [] : [['authorization', `Bearer ${token}`] as const]),
      ...fields,
    ]);
    return frame(frameTypes.headers, flag, stream, block);
  };
  return { ...client, frames, head };
}

/** Writes the same again and again, until so much is written, or the other side has ended it, or takes no more for a second. */
export async function flood(client: AttackingClient, bytes: Buffer, most: number): Promise<number> {
  const { socket } = client;
  let written = 0;
  while (written < most && !socket.destroyed) {
    written += bytes.length;
    if (!socket.write(bytes)) {
      const drained = new Promise((resolve) => socket.once('drain', () => resolve(true)));
      const stuck = new Promise((resolve) => setTimeout(() => resolve(false), 1_000));
      if (!(await Promise.race([drained, client.closed.then(() => false), stuck]))) {
        break;
      }
    }
  }
  return written;
}
