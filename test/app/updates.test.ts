import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UpdatesDeps } from '../../app/updates/updates.ts';
import { makeSigningKey } from '../support/update-feed.ts';
import { setUpdatesStage, type UpdatesStage } from '../support/updates-stage.ts';

const still = new AbortController().signal;

let stage: UpdatesStage;
beforeEach(async () => {
  stage = await setUpdatesStage();
});
afterEach(() => stage.dispose());

describe('a newer version that is signed', () => {
  it('is shown, fetched and installed, each with the user’s approval', async () => {
    const { feed, key } = stage;
    const content = feed.offer({ version: '1.1.0', key: key.privateKey });
    const updates = stage.start();
    await updates.check(still);
    expect(updates.view()).toEqual({ kind: 'available', version: '1.1.0', notes: null });
    expect(feed.asked).toEqual(['/releases/latest-linux.yml', '/releases/latest-linux.yml.sig']);
    const shares: number[] = [];
    updates.onChange(() => {
      const view = updates.view();
      if (view.kind === 'fetching') {
        shares.push(view.share);
      }
    });
    await updates.fetch(still);
    expect(updates.view()).toEqual({ kind: 'ready', version: '1.1.0' });
    expect(feed.asked.slice(2)).toEqual(['/releases/Lanyard-1.1.0.AppImage']);
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b));
    expect(readFileSync(stage.appImage, 'utf8')).toBe('version 1.0.0');
    expect([stage.ends, stage.standIn.app.exitCode]).toEqual([0, null]);
    await updates.install();
    expect(readFileSync(stage.appImage)).toEqual(content);
    expect(statSync(stage.appImage).mode & 0o777).toBe(0o755);
    expect(stage.standIn.app.relaunched).toEqual({ execPath: stage.appImage, args: [] });
    expect([stage.ends, stage.standIn.app.exitCode]).toEqual([1, 0]);
  });

  it('is found by the second of two keys, while one takes the other’s place', async () => {
    await stage.dispose();
    const next = makeSigningKey();
    stage = await setUpdatesStage([makeSigningKey().publicText, next.publicText]);
    stage.feed.offer({ version: '1.1.0', key: next.privateKey });
    const updates = stage.start();
    await updates.check(still);
    expect(updates.view()).toMatchObject({ kind: 'available' });
  });

  it('comes with its notes', async () => {
    stage.feed.offer({
      version: '1.1.0',
      key: stage.key.privateKey,
      change: (manifest) => ({ ...manifest, releaseNotes: 'Quicker.' }),
    });
    const updates = stage.start();
    await updates.check(still);
    expect(updates.view()).toMatchObject({ notes: 'Quicker.' });
  });

  it('is taken from the package of this kind alone', async () => {
    writeFileSync(join(stage.resources, 'package-type'), 'deb');
    const { feed, key } = stage;
    const content = feed.offer({
      version: '1.1.0',
      key: key.privateKey,
      packageName: 'lanyard_1.1.0_amd64.deb',
    });
    const updates = stage.start();
    await updates.check(still);
    await updates.fetch(still);
    expect(readFileSync(join(stage.home, 'updates/lanyard-updater/pending/lanyard_1.1.0_amd64.deb'))).toEqual(
      content,
    );
  });

  it('isn’t fetched again after a restart, but is checked again', async () => {
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
    const first = stage.start();
    await first.check(still);
    await first.fetch(still);
    await first.dispose();
    stage.feed.asked.length = 0;
    const second = stage.start();
    await second.check(still);
    await second.fetch(still);
    expect(second.view()).toEqual({ kind: 'ready', version: '1.1.0' });
    expect(stage.feed.asked).not.toContain('/releases/Lanyard-1.1.0.AppImage');
  });

  it('is requested without an id of this installation', async () => {
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
    const updates = stage.start();
    await updates.check(still);
    await updates.fetch(still);
    expect(JSON.stringify(stage.feed.headers)).not.toContain('staging');
    expect(stage.kept()).toEqual(['Lanyard-1.1.0.AppImage', 'feed.json', 'update-info.json']);
  });
});

describe('an older version', () => {
  it.each([
    ['older than the one that runs', '0.9.0'],
    ['the one that runs', '1.0.0'],
    ['one on trial, for who runs none', '2.0.0-beta.1'],
  ])('%s is not offered', async (_, version) => {
    stage.feed.offer({ version, key: stage.key.privateKey });
    const updates = stage.start();
    await updates.check(still);
    expect(updates.view()).toEqual({ kind: 'idle', checkedAt: stage.clock.now() });
    await expect(updates.fetch(still)).rejects.toMatchObject({ code: 'update.none' });
  });

  it('a prerelease is offered the next one, and its release', async () => {
    stage.standIn.app.version = '2.0.0-beta.1';
    for (const version of ['2.0.0-beta.2', '2.0.0']) {
      stage.feed.offer({ version, key: stage.key.privateKey });
      const updates = stage.start();
      await updates.check(still);
      expect(updates.view()).toMatchObject({ kind: 'available', version });
    }
  });

  it('than was offered before is rejected, even after a restart: an old manifest can’t hide a fixed version', async () => {
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
    const old = new Map(stage.feed.files);
    stage.feed.offer({ version: '1.2.0', key: stage.key.privateKey });
    const first = stage.start();
    await first.check(still);
    await first.dispose();
    for (const [name, content] of old) {
      stage.feed.files.set(name, content);
    }
    const second = stage.start();
    await expect(second.check(still)).rejects.toMatchObject({ code: 'update.replayed' });
    expect(second.view()).toMatchObject({ kind: 'failed', message: expect.stringContaining('1.2.0') });
    await expect(second.fetch(still)).rejects.toMatchObject({ code: 'update.none' });
  });
});

describe('during unfinished work', () => {
  it('nothing is installed, and the error says what it waits for; afterwards it is', async () => {
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
    const updates = stage.start();
    await updates.check(still);
    await updates.fetch(still);
    stage.busy = 'the login of corp is under way';
    await expect(updates.install()).rejects.toMatchObject({
      code: 'update.busy',
      message: expect.stringContaining('corp'),
    });
    expect(updates.view()).toEqual({ kind: 'ready', version: '1.1.0' });
    expect([stage.ends, readFileSync(stage.appImage, 'utf8')]).toEqual([0, 'version 1.0.0']);
    stage.busy = null;
    await updates.install();
    expect(stage.ends).toBe(1);
  });

  it('what begins while the package is checked counts, too', async () => {
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
    let looks = 0;
    const updates = stage.start({ busy: () => (++looks > 1 ? 'kubectl waits for an answer' : null) });
    await updates.check(still);
    await updates.fetch(still);
    await expect(updates.install()).rejects.toMatchObject({ code: 'update.busy' });
    expect(stage.ends).toBe(0);
  });
});

describe('a build that is not to be updated', () => {
  const release = (fields: object) => () => {
    writeFileSync(join(stage.dist, 'app', 'release.json'), JSON.stringify(fields));
    return {};
  };
  it.each<[string, () => Partial<UpdatesDeps>]>([
    ['without a feed', release({})],
    ['that isn’t installed', () => ({ resources: null })],
    ['that was unpacked by hand', () => ({ env: {} })],
    [
      'whose feed is plain http',
      () => release({ feed: 'http://updates.example.com/', keys: [stage.key.publicText] })(),
    ],
    [
      'whose feed names a person',
      () => release({ feed: 'https://me:pw@updates.example.com/', keys: [stage.key.publicText] })(),
    ],
    ['without a key', release({ feed: 'https://updates.example.com/', keys: [] })],
  ])('is off: one %s', async (_, prepare) => {
    const updates = stage.start(prepare());
    expect(updates.view()).toEqual({ kind: 'off' });
    await expect(updates.check(still)).rejects.toMatchObject({ code: 'update.off' });
    await expect(updates.install()).rejects.toMatchObject({ code: 'update.off' });
    expect(stage.clock.pending).toBe(0);
  });

  it('is not off with an https feed and a key', () => {
    release({ feed: 'https://updates.example.com/lanyard/', keys: [stage.key.publicText] })();
    expect(stage.start().view()).toEqual({ kind: 'idle', checkedAt: null });
  });
});
