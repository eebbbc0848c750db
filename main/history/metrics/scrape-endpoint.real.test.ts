import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../ports/log.ts';
import { createScrapeEndpoint, type ScrapeEndpoint } from './scrape-endpoint.ts';

const metrics = {
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  text: async () => 'lanyard_x 1\n',
};
let listen: string | undefined;
let endpoint: ScrapeEndpoint = open();

function open(): ScrapeEndpoint {
  return createScrapeEndpoint({ metrics, listen: () => listen, log: silentLog });
}

afterEach(async () => {
  await endpoint.dispose();
  endpoint = open();
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Question {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  host?: string;
}

function get(
  port: number,
  { path = '/metrics', method = 'GET', headers = {}, host = '127.0.0.1' }: Question = {},
) {
  return new Promise<{ status: number; text: string; type: string | undefined }>((resolve, reject) => {
    const asked = request({ host, port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, type: response.headers['content-type'] }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

async function serveAt(host: '127.0.0.1' | '[::1]' = '127.0.0.1'): Promise<number> {
  const port = await freePort();
  listen = `${host}:${port}`;
  await endpoint.update();
  expect(endpoint.problem()).toBeNull();
  return port;
}

describe('the scrape endpoint', () => {
  it('serves the metrics, in Prometheus’s type', async () => {
    const port = await serveAt();
    expect(await get(port)).toEqual({ status: 200, text: 'lanyard_x 1\n', type: metrics.contentType });
    expect((await get(port, { headers: { host: `localhost:${port}` } })).status).toBe(200);
  });

  it('listens on loopback’s other address, too', async () => {
    const port = await serveAt('[::1]');
    expect((await get(port, { host: '::1', headers: { host: `[::1]:${port}` } })).status).toBe(200);
  });

  it.each<[string, Question, number]>([
    ['another name for this machine (DNS rebinding)', { headers: { host: 'evil.example.com' } }, 421],
    ['the right name without its port', { headers: { host: '127.0.0.1' } }, 421],
    ['a page’s script', { headers: { origin: 'https://evil.example.com' } }, 403],
    ['a page that embeds it', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['another path', { path: '/' }, 404],
    ['a path with a query', { path: '/metrics?x=1' }, 404],
    ['another method', { method: 'POST' }, 405],
  ])('refuses %s', async (_, question, status) => {
    const port = await serveAt();
    const headers = { host: `127.0.0.1:${port}`, ...question.headers };
    expect(await get(port, { ...question, headers })).toMatchObject({
      status,
      text: expect.not.stringContaining('lanyard_x'),
    });
  });

  it('is not there unless it is asked for, follows the config, and ends', async () => {
    listen = undefined;
    await endpoint.update();
    const first = await serveAt();
    const second = await serveAt();
    await expect(get(first)).rejects.toThrow('ECONNREFUSED');
    expect((await get(second)).status).toBe(200);
    listen = undefined;
    await endpoint.update();
    await expect(get(second)).rejects.toThrow('ECONNREFUSED');
    const third = await serveAt();
    await endpoint.dispose();
    await expect(get(third)).rejects.toThrow('ECONNREFUSED');
  });

  it('says where its port is taken, and is there once that is free', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    listen = `127.0.0.1:${port}`;
    await endpoint.update();
    expect(endpoint.problem()).toContain('the port is taken');
    await new Promise((resolve) => other.close(resolve));
    await endpoint.update();
    expect(endpoint.problem()).toBeNull();
    expect((await get(port)).status).toBe(200);
  });

  it('says that there is no such port', async () => {
    listen = '127.0.0.1:99999';
    await endpoint.update();
    expect(endpoint.problem()).toContain('no such port');
  });
});
