import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Stage } from '../support/stage.ts';
import { sharedChromium } from './support/shared-chromium.ts';

describe('a page of another port, in the same browser', () => {
  let stage: Stage;
  let host: string;
  let browser: Browser;
  let server: Server;
  let evil: Page;
  let own: Page;

  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>evil</p>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stage = await Stage.open();
    const address = (await stage.lanyard(['ui', '--no-open'])).stdout.trim();
    host = new URL(address).host;
    browser = await sharedChromium();
    const context = await browser.newContext();
    own = await context.newPage();
    await own.goto(address);
    await own.waitForFunction(() => sessionStorage.getItem('lanyard.session') !== null);
    evil = await context.newPage();
    await evil.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    await stage?.dispose();
  });

  test('finds the own page open, its ticket out of sight', async () => {
    expect(own.url()).not.toContain('ticket');
    expect(await own.evaluate(() => history.length)).toBeLessThanOrEqual(2);
    expect(await own.evaluate(() => document.cookie)).toBe('');
    expect(await own.evaluate(() => localStorage.length)).toBe(0);
  });

  test.each<[string, Pick<RequestInit, 'mode' | 'credentials' | 'method'> & { body?: string }]>([
    ['as any page', {}],
    ['without looking', { mode: 'no-cors' }],
    ['with what it has', { credentials: 'include' }],
    ['to change something', { method: 'POST', body: '{}' }],
  ])('fetches nothing: %s', async (_, init) => {
    const outcome = await evil.evaluate(
      async ([url, given]) => {
        const response = await fetch(url, given).catch(() => null);
        return response && { type: response.type, text: await response.text() };
      },
      [`http://${host}/`, init] as const,
    );
    expect(outcome).toBeNull();
  });

  test('opens no WebSocket', async () => {
    const code = await evil.evaluate(
      (url) =>
        new Promise((resolve) => {
          const socket = new WebSocket(url);
          socket.onopen = () => resolve('open');
          socket.onclose = () => resolve('closed');
        }),
      `ws://${host}/`,
    );
    expect(code).toBe('closed');
  });

  test('gets no script, no style and no picture of it', async () => {
    const paths = [...new Set([...(await own.content()).matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)])];
    expect(paths.length).toBeGreaterThan(0);
    for (const [, path = ''] of paths) {
      const outcome = await evil.evaluate(
        ([url, kind]) =>
          new Promise((resolve) => {
            const element = document.createElement(kind as string);
            Object.assign(
              element,
              kind === 'link' ? { rel: 'stylesheet', href: url } : { src: url, type: 'module' },
            );
            element.onload = () => resolve('loaded');
            element.onerror = () => resolve('refused');
            document.head.append(element);
          }),
        [`http://${host}${path}`, path.endsWith('.css') ? 'link' : 'script'] as const,
      );
      expect(outcome).toBe('refused');
    }
  });

  test('frames nothing of it', async () => {
    await evil.evaluate(
      (url) =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe');
          frame.onload = resolve;
          frame.src = url;
          document.body.append(frame);
        }),
      `http://${host}/`,
    );
    const frame = evil.frames().find((each) => each !== evil.mainFrame());
    expect(await frame?.content()).not.toContain('root');
  });

  test('may open it in its own window, which it can’t control, and which isn’t accepted', async () => {
    const [popup] = await Promise.all([
      evil.waitForEvent('popup'),
      evil.evaluate((url) => {
        Object.assign(window, { popup: window.open(url) });
      }, `http://${host}/`),
    ]);
    await popup.waitForLoadState();
    expect(await popup.evaluate(() => window.opener)).toBeNull();
    expect(await popup.evaluate(() => sessionStorage.length)).toBe(0);
    await evil.waitForFunction(() => (window as unknown as { popup: Window }).popup.closed);
    await popup.close();
  });

  test('and the own page is still there', async () => {
    await own.reload();
    await own.waitForFunction(() => sessionStorage.getItem('lanyard.session') !== null);
    expect((await stage.lanyard(['status'])).code).toBe(0);
  });
});
