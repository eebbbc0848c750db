import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createUpdates, type Updates } from '../../app/updates/index.ts';
import type { UpdatesDeps } from '../../app/updates/updates.ts';
import { silentLog } from '../../main/ports/log.ts';
import { createStandIn, type StandIn } from './electron/index.ts';
import { ManualClock } from './manual-clock.ts';
import { makeSigningKey, startUpdateFeed, type UpdateFeed } from './update-feed.ts';

export interface UpdatesStage {
  readonly feed: UpdateFeed;
  readonly key: ReturnType<typeof makeSigningKey>;
  readonly clock: ManualClock;
  readonly standIn: StandIn;
  /** The AppImage that runs, as a file. */
  readonly appImage: string;
  readonly home: string;
  readonly resources: string;
  readonly dist: string;
  /** What a person is in the middle of. */
  busy: string | null;
  isWanted: boolean;
  /** How often all was ended. */
  ends: number;
  /** An app of version 1.0.0 with the stage's feed. */
  start(change?: Partial<UpdatesDeps>): Updates;
  /** The names of all files that updates keep under the home. */
  kept(): string[];
  dispose(): Promise<void>;
}

/** An installed app's updates against a real feed, all but Electron real; the AppImage is a file with text in it. */
export async function setUpdatesStage(keys?: readonly string[]): Promise<UpdatesStage> {
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-updates-'));
  const feed = await startUpdateFeed();
  const key = makeSigningKey();
  const clock = new ManualClock();
  const standIn = createStandIn();
  standIn.app.isPackaged = true;
  standIn.app.version = '1.0.0';
  const [dist, resources, home] = ['dist', 'resources', 'home'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(dist, 'app'), { recursive: true });
  mkdirSync(resources);
  mkdirSync(home);
  const release = { feed: feed.address, keys: keys ?? [key.publicText] };
  writeFileSync(join(dist, 'app', 'release.json'), JSON.stringify(release));
  writeFileSync(
    join(resources, 'app-update.yml'),
    'provider: generic\nupdaterCacheDirName: lanyard-updater\n',
  );
  const appImage = join(folder, 'Lanyard.AppImage');
  writeFileSync(appImage, 'version 1.0.0');
  // electron-updater reads it there.
  const before = process.env['APPIMAGE'];
  process.env['APPIMAGE'] = appImage;
  const running: Updates[] = [];
  const stage: UpdatesStage = {
    ...{ feed, key, clock, standIn, appImage, home, resources, dist },
    busy: null,
    isWanted: true,
    ends: 0,
    start(change) {
      const updates = createUpdates({
        electron: standIn.electron,
        platform: 'linux',
        arch: 'x64',
        env: { APPIMAGE: appImage, APPDIR: dirname(process.execPath) },
        clock,
        log: silentLog,
        dist,
        resources,
        folder: join(home, 'updates'),
        random: () => 0,
        isWanted: () => stage.isWanted,
        busy: () => stage.busy,
        handOver: async (last) => {
          stage.ends += 1;
          last();
        },
        ...change,
      });
      running.push(updates);
      return updates;
    },
    kept() {
      const kept = join(home, 'updates');
      return existsSync(kept)
        ? readdirSync(kept, { recursive: true, withFileTypes: true })
            .filter((each) => each.isFile())
            .map(({ name }) => name)
            .sort()
        : [];
    },
    async dispose() {
      await Promise.all(running.map((each) => each.dispose()));
      await feed.dispose();
      rmSync(folder, { recursive: true });
      if (before === undefined) {
        delete process.env['APPIMAGE'];
      } else {
        process.env['APPIMAGE'] = before;
      }
    },
  };
  return stage;
}

/** Resolves as the view becomes one of this kind. */
export function shown(updates: Updates, kind: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => updates.view().kind === kind && resolve();
    updates.onChange(look);
    look();
  });
}
