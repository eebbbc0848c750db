import { join } from 'node:path';
import { createListeners } from '../../main/base/listeners.ts';
import { failures } from './failures.ts';
import { packageKind } from './package-kind.ts';
import { type Release, readRelease } from './release.ts';
import { createRunningUpdates } from './running-updates.ts';
import type { Updates, UpdatesDeps } from './updates.ts';

export type { Updates } from './updates.ts';

/** Off if the build has no feed, or if the app wasn't installed from a package that can be replaced. */
export function createUpdates(deps: UpdatesDeps): Updates {
  const { resources } = deps;
  const release = resources === null ? null : readUsable(deps);
  const kind = resources === null ? null : packageKind({ ...deps, resources });
  if (resources === null || !release || !kind) {
    return createNoUpdates();
  }
  return createRunningUpdates({ ...deps, resources, release, kind });
}

function readUsable({ dist, log }: UpdatesDeps): Release | null {
  try {
    return readRelease(join(dist, 'app', 'release.json'));
  } catch (error) {
    log.error('update.release', { error });
    return null;
  }
}

function createNoUpdates(): Updates {
  const refuse = async () => {
    throw failures.off();
  };
  return {
    view: () => ({ kind: 'off' }),
    onChange: (listener) => createListeners().add(listener),
    check: refuse,
    fetch: refuse,
    install: refuse,
    dispose: () => undefined,
  };
}
