import { createDesktopCalls } from '../../doors/ui/calls/desktop-calls.ts';
import { createSettingsCalls } from '../../doors/ui/calls/settings-calls.ts';
import { createToolsCalls } from '../../doors/ui/calls/tools-calls.ts';
import { fewAtATime } from '../../doors/ui/few-at-a-time.ts';
import type { Areas } from '../areas.ts';

export function settingsCalls(areas: Areas) {
  const { version, paths, clock, log, config, vault, browser, environment, history, keychain, desktop } =
    areas.deps;
  const { windows } = areas.consent;
  const { status, clusters, tools } = areas;
  const settings = createSettingsCalls({
    version,
    pid: process.pid,
    paths,
    access: areas.deps.access,
    clock,
    log,
    recorder: areas.records.recorder,
    config,
    vault,
    browser,
    environment,
    history,
    status,
    inventoryFigures: areas.inventoryFigures,
    windows,
    keychain,
    gate: areas.locking.gate,
    bindings: areas.served.bindings,
    directory: areas.credentials.directory,
    scraping: areas.records.scraping,
    inventories: { ...areas.deps.inventories, profiles: areas.profiles },
    requestProxy: {
      program: areas.deps.proxyProgram,
      socketFolder: areas.deps.paths.proxySockets,
      proxy: areas.requestProxy,
    },
    clusters,
    undone: areas.undone,
  });
  return {
    ...fewAtATime(1, settings, ['doctor.run', 'bundle.make']),
    ...createDesktopCalls({ desktop, windows }),
    ...createToolsCalls({ tools }),
  };
}
