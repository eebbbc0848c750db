import http2 from 'node:http2';
import https from 'node:https';
import { text } from 'node:stream/consumers';

/**
 * A client of the request proxy that has much under way, to be killed. Reads `{port, ca, token, each}` as JSON on stdin;
 * prints `open` once there are `each` watches over HTTP/2, watches over HTTP/1.1, uploads, changed protocols, and has by
 * then sent `each` requests over HTTP/2 and over HTTP/1.1 that the server doesn’t answer.
 */
const { port, ca, token, each } = JSON.parse(await text(process.stdin)) as {
  port: number;
  ca: string;
  token: string;
  each: number;
};
const authorization = `Bearer ${token}`;
const session = http2.connect(`https://127.0.0.1:${port}`, { ca });

function watchOverHttp2(): Promise<unknown> {
  const request = session.request({ ':path': '/c/prod/watch', authorization });
  return new Promise((resolve) => request.once('data', resolve));
}

function ask(path: string, method: string, headers: Record<string, string>) {
  const agent = new https.Agent();
  return https.request({
    host: '127.0.0.1',
    port,
    ca,
    path,
    method,
    agent,
    headers: { authorization, ...headers },
  });
}

function watch(): Promise<unknown> {
  const request = ask('/c/prod/watch', 'GET', {}).end();
  return new Promise((resolve) => request.once('response', (answer) => answer.once('data', resolve)));
}

function upload(): Promise<unknown> {
  const request = ask('/c/prod/upload', 'POST', { 'content-length': '1000000' });
  request.write('begun');
  return new Promise((resolve) => request.once('response', (answer) => answer.once('data', resolve)));
}

function change(): Promise<unknown> {
  const request = ask('/c/prod/exec', 'GET', { connection: 'Upgrade', upgrade: 'websocket' }).end();
  return new Promise((resolve) => request.once('upgrade', (_, socket) => socket.once('data', resolve)));
}

for (let times = 0; times < each; times++) {
  session.request({ ':path': '/c/prod/silent', authorization });
  ask('/c/prod/silent', 'GET', {}).end();
}
const all = [watchOverHttp2, watch, upload, change].flatMap((begin) => Array.from({ length: each }, begin));
await Promise.all(all);
process.stdout.write('open\n');
