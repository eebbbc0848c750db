import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolvePaths } from '../domain/paths.ts';
import { homeCheck } from './home/home-check.ts';
import { proxyCheck } from './proxy/proxy-check.ts';

const { signal } = new AbortController();

test.skipIf(process.platform === 'win32')('a socket that others can reach is a problem', async () => {
  const home = await mkdtemp(join(tmpdir(), 'lanyard-doctor-'));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(home, 'lanyard.sock'), resolve));
  try {
    await chmod(join(home, 'lanyard.sock'), 0o666);
    const found = await homeCheck(resolvePaths({ LANYARD_HOME: home }, process.platform), null).run(signal);
    expect(found.map(({ check, level }) => `${check} ${level}`)).toEqual(['home ok', 'socket problem']);
  } finally {
    server.close();
    await rm(home, { recursive: true });
  }
});

test('a request proxy whose port another program has is a warning', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const ofProxy = async (running: { port: number; pid: number } | null) => {
    const check = proxyCheck([], {
      platform: 'linux',
      uid: null,
      socketFolder: '/nowhere/proxy',
      program: process.execPath,
      gate: () => null,
      directory: { cluster: () => ({ ok: true }) as never },
      proxy: { running: () => running, faults: () => [], knownPlace: () => ({ port, certificate: '' }) },
    });
    return (await check.run(signal)).map(({ level, message }) => `${level}: ${message}`);
  };
  expect(await ofProxy(null)).toEqual([
    expect.stringContaining(`warning: another program listens on its port, 127.0.0.1:${port};`),
  ]);
  expect(await ofProxy({ port, pid: 1 })).toEqual([expect.stringMatching(/^ok/)]);
  await new Promise((resolve) => other.close(resolve));
  expect(await ofProxy(null)).toEqual([expect.stringMatching(/^ok/)]);
});
