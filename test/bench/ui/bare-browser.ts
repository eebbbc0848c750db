import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { chromiumCommand } from '../../support/chromium.ts';

/** A browser that is told what to load, and not watched while it does. */
export interface BareBrowser extends AsyncDisposable {
  /** Opens a new window with an empty cache, in which `script` runs before the page's own scripts. */
  open(address: string, script: string): Promise<BarePage>;
}

export interface BarePage {
  /** What the expression says in the page: a JSON value. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

const patienceMilliseconds = 30_000;
/** What surrounds a new window’s page consists of pages, too (the address bar’s lists): they load first. */
const windowMilliseconds = 1_500;

/** What the expression says once it says something. */
export async function untilSaid(page: BarePage, expression: string): Promise<unknown> {
  const end = performance.now() + patienceMilliseconds;
  while (performance.now() < end) {
    const said = await page.evaluate(expression);
    if (said !== undefined) {
      return said;
    }
    await delay(100);
  }
  throw new Error(`the page never said: ${expression}`);
}

/**
 * Starts Chromium by its own protocol. A test's driver turns on the debugger, with which each error that a script makes
 * has the whole file parsed again (V8 collects source positions): users have none.
 */
export async function startBareBrowser(): Promise<BareBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-bench-browser-'));
  const [program, ...args] = chromiumCommand();
  const child = spawn(
    program,
    [...args, '--headless', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const talk = await connect(await debuggerAddress(child.stderr));
  return {
    async open(address, script) {
      const { browserContextId } = await talk<{ browserContextId: string }>('Target.createBrowserContext');
      const { targetId } = await talk<{ targetId: string }>('Target.createTarget', {
        url: 'about:blank',
        browserContextId,
        width: 1240,
        height: 780,
      });
      const { sessionId } = await talk<{ sessionId: string }>('Target.attachToTarget', {
        targetId,
        flatten: true,
      });
      await talk('Page.enable', {}, sessionId);
      await talk('Page.addScriptToEvaluateOnNewDocument', { source: script }, sessionId);
      await delay(windowMilliseconds);
      await talk('Page.navigate', { url: address }, sessionId);
      return {
        async evaluate(expression) {
          const given = { expression, returnByValue: true };
          const { result } = await talk<{ result: { value?: unknown } }>(
            'Runtime.evaluate',
            given,
            sessionId,
          );
          return result.value;
        },
        close: async () => void (await talk('Target.disposeBrowserContext', { browserContextId })),
      };
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function debuggerAddress(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) {
      // Its pipe must not fill.
      output.resume();
      return address;
    }
  }
  throw new Error('Chromium did not start');
}

type Talk = <Answer>(method: string, params?: object, sessionId?: string) => Promise<Answer>;

async function connect(address: string): Promise<Talk> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(String(data));
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) {
      call?.reject(new Error(error.message));
    } else {
      call?.resolve(result);
    }
  };
  let last = 0;
  return <Answer>(method: string, params: object = {}, sessionId?: string) =>
    new Promise<Answer>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve: (value) => resolve(value as Answer), reject });
      socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    });
}
