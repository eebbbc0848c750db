import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { openPage, type PageSecret, readAddress } from '../../../../test/support/page-client.ts';
import { folderForTest } from '../../../../test/support/temporary-folder.ts';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { createRecordLog } from '../../../accounts/testing/record-log.ts';
import { closeCodes } from '../../../contract/ui/handshake.ts';
import type { Page } from '../index.ts';
import { createWebUi, idleMilliseconds, type WebUi } from './index.ts';

const hour = 60 * 60 * 1000;

let folder: string;
let clock: ManualClock;
let vault: FakeVault;
let log: ReturnType<typeof createRecordLog>;
let web: WebUi;
let pages: Page[];
let received: string[];

const door = {
  connect(page: Page) {
    pages.push(page);
    return { receive: (text: string) => void received.push(text), dispose: () => undefined };
  },
};
const create = () => createWebUi({ clock, log, door, vault, lookUpPeer: async () => 'own', folder });

beforeEach(() => {
  folder = folderForTest();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<p>page</p>');
  writeFileSync(join(folder, 'assets', 'a.js'), '1');
  [clock, vault, log, pages, received] = [new ManualClock(), new FakeVault(), createRecordLog(), [], []];
  web = create();
});
afterEach(() => web.dispose());

async function enter() {
  const { host, ticket } = readAddress((await web.invite()).address);
  return { host, ticket, ...(await openPage(host, ticket)) };
}

/** The broker is killed: nothing it would do at its end is done, and its port is free. */
async function restart(): Promise<void> {
  const before = vault.content;
  await web.dispose();
  vault.content = before;
  web = create();
}

describe('a ticket', () => {
  test('opens one page, and its session any number, also at once', async () => {
    const { host, ticket, session } = await enter();
    await expect(openPage(host, ticket)).rejects.toThrow(`closed with ${closeCodes.notLetIn}`);
    await openPage(host, session);
    await openPage(host, session);
    expect(pages).toHaveLength(3);
  });

  test('is good for a minute, also where timers stood still meanwhile', async () => {
    const { host, ticket } = readAddress((await web.invite()).address);
    clock.sleep(60_000);
    await expect(openPage(host, ticket)).rejects.toThrow(`closed with ${closeCodes.notLetIn}`);
  });

  test('tells when it was used, and when it ran out', async () => {
    const used = await web.invite();
    const late = await web.invite();
    expect(late.port).toBe(used.port);
    const { host, ticket } = readAddress(used.address);
    await openPage(host, ticket);
    await used.done;
    clock.advance(60_000);
    await late.done;
  });

  test('gives way to newer ones: no more than eight are good at a time', async () => {
    const all = [];
    for (let count = 0; count < 9; count += 1) {
      all.push(readAddress((await web.invite()).address));
    }
    const [first, second] = all;
    await expect(openPage(first?.host ?? '', first?.ticket as PageSecret)).rejects.toThrow('4401');
    await openPage(second?.host ?? '', second?.ticket as PageSecret);
  });

  test('is in no line of the log', async () => {
    const { ticket, session } = await enter();
    for (const secret of [ticket.secret, session.secret, ticket.id]) {
      expect(JSON.stringify(log.lines)).not.toContain(secret);
    }
  });
});

describe('closes itself ten minutes after its last use', () => {
  test('a page that only lies there is told, nothing listens, and the session is no more', async () => {
    const { host, page, session } = await enter();
    clock.advance(idleMilliseconds - 1);
    const again = await openPage(host, session);
    clock.advance(idleMilliseconds - 1);
    expect(vault.content.ui?.sessions).toHaveLength(1);
    clock.advance(1);
    expect(await Promise.all([page.closed, again.page.closed])).toEqual([closeCodes.idle, closeCodes.idle]);
    await expect(openPage(host, session)).rejects.toThrow('ECONNREFUSED');
    await expect.poll(() => vault.content.ui).toBeUndefined();
    expect(new URL((await web.invite()).address).host).not.toBe(host);
  });

  test('calls, and a page that is in sight, hold it open', async () => {
    const { page } = await enter();
    for (const by of ['page', 'person', 'page'] as const) {
      clock.advance(idleMilliseconds - 1);
      pages[0]?.used?.(by);
    }
    clock.advance(idleMilliseconds - 1);
    expect(page.socket.readyState).toBe(page.socket.OPEN);
  });

  test('time that the machine sleeps doesn’t count', async () => {
    const { page } = await enter();
    clock.sleep(2 * hour);
    clock.advance(1_000);
    expect(page.socket.readyState).toBe(page.socket.OPEN);
  });

  test('no page at all: an address that is never opened', async () => {
    const { address } = await web.invite();
    clock.advance(idleMilliseconds);
    const { host, ticket } = readAddress(address);
    await expect.poll(() => openPage(host, ticket).catch(String)).toContain('ECONNREFUSED');
  });
});

describe('a session', () => {
  test.each([
    ['of a page that lies in sight, but that no hand touches, ends after twelve hours', false],
    ['is not extended by a page that reconnects automatically', true],
  ])('%s', async (_, reconnects) => {
    const { host, session } = await enter();
    for (let minutes = 0; minutes < 12 * 60; minutes += 5) {
      clock.advance(5 * 60_000);
      pages[0]?.used?.('page');
      if (reconnects && minutes % 60 === 0) {
        (await openPage(host, session)).page.socket.terminate();
      }
    }
    await expect(openPage(host, session)).rejects.toThrow('4401');
  });

  test('that has ended closes a page that only listens, too', async () => {
    const { page } = await enter();
    clock.setWall(clock.now() + 12 * hour);
    clock.advance(20_000);
    expect(await page.closed).toBe(closeCodes.notLetIn);
  });

  test('that has ended closes its page with the next thing that it says', async () => {
    const { page } = await enter();
    clock.setWall(clock.now() + 12 * hour);
    page.send({ kind: 'present', input: true });
    expect(await page.closed).toBe(closeCodes.notLetIn);
    expect(received).toEqual([]);
  });

  test('is extended by each use of the user', async () => {
    const { host, session } = await enter();
    for (let hours = 0; hours < 30; hours += 5) {
      for (let minutes = 0; minutes < 300; minutes += 5) {
        clock.advance(5 * 60_000);
        pages[0]?.used?.('page');
      }
      pages[0]?.used?.('person');
    }
    await openPage(host, session);
    // It is kept with its new end, and that not with each use.
    await expect.poll(() => vault.content.ui?.sessions[0]?.goodUntil).toBeGreaterThan(clock.now() + 5 * hour);
    expect(vault.writes.length).toBeLessThan(7);
  });

  test('is one of eight: the one whose use is longest ago gives way, and its page is closed', async () => {
    const first = await enter();
    for (let count = 0; count < 8; count += 1) {
      (await enter()).page.socket.terminate();
    }
    first.page.send({ kind: 'resync' });
    expect(await first.page.closed).toBe(closeCodes.notLetIn);
    await expect(openPage(first.host, first.session)).rejects.toThrow('4401');
  });

  test('has no end in a clock that was set back', async () => {
    const { host, session } = await enter();
    clock.setWall(clock.now() - hour);
    await expect(openPage(host, session)).rejects.toThrow('4401');
  });
});

describe('after a kill', () => {
  test('the next broker listens at the same port, and takes the session; not the ticket', async () => {
    const { host, ticket, session } = await enter();
    await restart();
    await web.vaultChanged();
    await openPage(host, session);
    await expect(openPage(host, ticket)).rejects.toThrow('4401');
  });

  test('not before the vault is open', async () => {
    const { host, session } = await enter();
    await restart();
    vault.locked = true;
    await web.vaultChanged();
    await expect(openPage(host, session)).rejects.toThrow('ECONNREFUSED');
    vault.locked = false;
    await web.vaultChanged();
    await openPage(host, session);
  });

  test('not after twelve hours, nor with a port that is taken: and then nothing is kept', async () => {
    const { host, session } = await enter();
    await restart();
    clock.advance(12 * hour);
    await web.vaultChanged();
    await expect(openPage(host, session)).rejects.toThrow('ECONNREFUSED');
    expect(vault.content.ui).toBeUndefined();

    const other = await enter();
    const kept = vault.content;
    const taken = create();
    vault.content = kept;
    await taken.vaultChanged();
    expect(vault.content.ui).toBeUndefined();
    await openPage(other.host, other.session);
    await taken.dispose();
  });

  test('a session that began while the vault was locked is kept when it opens', async () => {
    vault.locked = true;
    const { host, session } = await enter();
    expect(vault.content.ui).toBeUndefined();
    vault.locked = false;
    await web.vaultChanged();
    await restart();
    await web.vaultChanged();
    await openPage(host, session);
  });

  test('a vault that can’t be written lets the page in all the same', async () => {
    vault.beforeWrite = () => {
      throw new Error('the disk is full');
    };
    await enter();
    expect(log.lines.map(({ event }) => event)).toContain('ui.notKept');
  });
});

test('the broker’s end: pages hear that it may come back', async () => {
  const { page } = await enter();
  await web.dispose();
  expect(await page.closed).toBe(closeCodes.ending);
  expect(vault.content.ui?.sessions).toHaveLength(1);
});

test('without the built page: a refusal that says what to do', async () => {
  rmSync(join(folder, 'index.html'));
  await expect(web.invite()).rejects.toMatchObject({ code: 'ui.files' });
});
