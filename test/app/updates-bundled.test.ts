import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFeed } from '../../app/updates/feed.ts';
import type { createPackageUpdater } from '../../app/updates/package-updater.ts';
import { readRelease } from '../../app/updates/release.ts';
import { silentLog } from '../../main/ports/log.ts';
import { assertBuilt } from '../support/built.ts';
import { setUpdatesStage, type UpdatesStage } from '../support/updates-stage.ts';

const built = join(import.meta.dirname, '..', '..', 'dist', 'app');

let stage: UpdatesStage;
beforeEach(async () => {
  assertBuilt();
  stage = await setUpdatesStage();
});
afterEach(() => stage.dispose());

describe('electron-updater as it is bundled', () => {
  it('is apart from what is loaded at each start', () => {
    expect(readFileSync(join(built, 'main.js'), 'utf8')).not.toContain('quitAndInstallCalled');
  });

  it('fetches and installs', async () => {
    const [name = ''] = readdirSync(built).filter((each) => /^package-updater-.*\.js$/.test(each));
    const chunk = (await import(pathToFileURL(join(built, name)).href)) as {
      createPackageUpdater: typeof createPackageUpdater;
    };
    const content = stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
    const release = readRelease(join(stage.dist, 'app', 'release.json'));
    if (!release) {
      throw new Error('the stage has no release');
    }
    const { signal } = new AbortController();
    const feed = createFeed({ release, fetch, clock: stage.clock });
    const updater = chunk.createPackageUpdater({
      electron: stage.standIn.electron,
      kind: 'AppImage',
      manifest: await feed.latest('latest-linux.yml', signal),
      feed,
      resources: stage.resources,
      folder: join(stage.home, 'updates'),
      log: silentLog,
    });
    await updater.fetch({ signal, onShare: () => undefined });
    await updater.check();
    await updater.install(async (last) => last());
    expect(readFileSync(stage.appImage)).toEqual(content);
    expect(stage.standIn.app.exitCode).toBe(0);
  });
});
