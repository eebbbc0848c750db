import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Updates } from '../../app/updates/index.ts';
import { pourForEver, redirectTo } from '../support/update-feed.ts';
import { setUpdatesStage, shown, type UpdatesStage } from '../support/updates-stage.ts';

const still = new AbortController().signal;

let stage: UpdatesStage;
beforeEach(async () => {
  stage = await setUpdatesStage();
});
afterEach(() => stage.dispose());

describe('a package', () => {
  const found = async (): Promise<Updates> => {
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
    const updates = stage.start();
    await updates.check(still);
    return updates;
  };
  const name = 'Lanyard-1.1.0.AppImage';
  const content = () => stage.feed.files.get(name) as Buffer;

  it.each<[string, string, () => void]>([
    [
      'with a byte changed',
      'update.otherFile',
      () => {
        const changed = Buffer.from(content());
        changed.writeUInt8(changed.readUInt8(7) ^ 1, 7);
        stage.feed.files.set(name, changed);
      },
    ],
    ['cut short', 'update.otherFile', () => stage.feed.files.set(name, content().subarray(0, -1))],
    [
      'with more behind it',
      'update.tooLarge',
      () => stage.feed.files.set(name, Buffer.concat([content(), Buffer.alloc(1)])),
    ],
    ['without an end', 'update.tooLarge', () => stage.feed.files.set(name, pourForEver)],
    [
      'from elsewhere',
      'update.unreachable',
      () => {
        stage.feed.files.set('other', content());
        stage.feed.files.set(name, redirectTo('/releases/other'));
      },
    ],
    ['that is gone', 'update.answer', () => stage.feed.files.delete(name)],
    [
      'whose connection breaks',
      'update.unreachable',
      () => {
        const part = content().subarray(0, 1000);
        stage.feed.files.set(name, (_, response) => {
          response.writeHead(200, { 'content-length': '300000' });
          response.write(part, () => response.destroy());
        });
      },
    ],
  ])('%s is thrown away', async (_, code, prepare) => {
    const updates = await found();
    prepare();
    await expect(updates.fetch(still)).rejects.toMatchObject({ code });
    expect(updates.view().kind).toBe('failed');
    await expect(updates.install()).rejects.toMatchObject({ code: 'update.none' });
    expect(stage.kept()).toEqual(['feed.json']);
    expect(readFileSync(stage.appImage, 'utf8')).toBe('version 1.0.0');
  });

  it('that failed is fetched by a second try', async () => {
    const updates = await found();
    const good = content();
    stage.feed.files.delete(name);
    await expect(updates.fetch(still)).rejects.toThrow();
    stage.feed.files.set(name, good);
    await updates.fetch(still);
    expect(updates.view()).toEqual({ kind: 'ready', version: '1.1.0' });
  });

  it('that stops coming is given up, and one whose app ends leaves the app as it was', async () => {
    const updates = await found();
    const whole = content();
    const began = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      stage.feed.files.set(name, (_, response) => {
        response.writeHead(200);
        response.write(whole.subarray(0, 150_000), () => resolve());
      });
      return promise;
    };
    for (const stop of [() => stage.clock.advance(30_000), () => updates.dispose()]) {
      const arrived = began();
      const half = new Promise<void>((resolve) => {
        updates.onChange(() => {
          const view = updates.view();
          if (view.kind === 'fetching' && view.share > 0.2) {
            resolve();
          }
        });
      });
      const fetched = expect(updates.fetch(still)).rejects.toThrow();
      await Promise.all([arrived, half]);
      await stop();
      await fetched;
    }
    await expect.poll(stage.kept).toEqual(['feed.json']);
    expect(readFileSync(stage.appImage, 'utf8')).toBe('version 1.0.0');
    // What a kill leaves half is no package at the next start.
    stage.feed.files.set(name, whole);
    writeFileSync(join(stage.home, 'updates/lanyard-updater/pending', `temp-${name}`), whole.subarray(0, 99));
    const next = stage.start();
    await next.check(still);
    await next.fetch(still);
    await next.install();
    expect(readFileSync(stage.appImage)).toEqual(whole);
  });

  it('continues when the page that requested it is gone', async () => {
    const updates = await found();
    const page = new AbortController();
    const asked = expect(updates.fetch(page.signal)).rejects.toThrow();
    page.abort();
    await asked;
    await shown(updates, 'ready');
  });

  it('that was changed after it was fetched is not installed', async () => {
    const updates = await found();
    await updates.fetch(still);
    writeFileSync(join(stage.home, 'updates/lanyard-updater/pending', name), 'something else');
    await expect(updates.install()).rejects.toMatchObject({ code: 'update.otherFile' });
    expect(readFileSync(stage.appImage, 'utf8')).toBe('version 1.0.0');
    expect(stage.ends).toBe(0);
    await updates.fetch(still);
    expect(updates.view()).toEqual({ kind: 'ready', version: '1.1.0' });
  });

  it('of another kind than this app’s is none', async () => {
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey, packageName: 'lanyard_1.1.0_amd64.deb' });
    const updates = stage.start();
    await updates.check(still);
    await expect(updates.fetch(still)).rejects.toMatchObject({ code: 'update.noPackage' });
  });
});
