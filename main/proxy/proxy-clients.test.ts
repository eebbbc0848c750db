import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { silentLog } from '../ports/log.ts';
import { ProxyClients } from './proxy-clients.ts';

const folder = temporaryFolder();
let clock: ManualClock;
let boot: string;
const executable = '/usr/bin/kubectl';
beforeEach(() => {
  clock = new ManualClock();
  boot = 'boot-1';
});

function open(): ProxyClients {
  return new ProxyClients({
    file: join(folder(), 'clients.json'),
    // Every process lives, and started at 7.
    identity: { brief: (pid) => ({ pid, startTime: '7' }) as never },
    bootId: () => boot,
    clock,
    log: silentLog,
  });
}

async function restored(): Promise<ProxyClients> {
  const next = open();
  await next.restore();
  return next;
}

it('knows those that still live after a restart, but no process of an earlier boot', async () => {
  const first = open();
  first.add({ pid: 42, startTime: '7', executable }, null);
  await first.dispose();
  expect((await restored()).find(42)).toMatchObject({ pid: 42, program: 'kubectl' });
  boot = 'boot-2';
  const next = await restored();
  expect([next.find(42), next.anyLives()]).toEqual([null, false]);
});

it('forgets one whose token has expired, though its process lives', async () => {
  const first = open();
  first.add({ pid: 1, startTime: '7', executable }, clock.boottime() + 3_600_000);
  await first.dispose();
  const next = await restored();
  clock.advance(3_599_999);
  expect(next.anyLives()).toBe(true);
  clock.advance(1);
  expect(next.anyLives()).toBe(false);
  expect((await restored()).find(1)).toBeNull();
});

it('keeps what was written before boots and expiries were, but for pid 1', async () => {
  const clients = [42, 1].map((pid) => ({ pid, startTime: '7', program: 'kubectl' }));
  writeFileSync(join(folder(), 'clients.json'), JSON.stringify({ version: 1, clients }), { mode: 0o600 });
  const next = await restored();
  expect([next.find(42)?.pid, next.find(1)]).toEqual([42, null]);
  // Its next token makes it one of this boot.
  next.add({ pid: 42, startTime: '7', executable }, null);
  await next.dispose();
  expect(JSON.parse(readFileSync(join(folder(), 'clients.json'), 'utf8'))).toMatchObject({
    clients: [{ pid: 42, bootId: 'boot-1' }],
  });
});
