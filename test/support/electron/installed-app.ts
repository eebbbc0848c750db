import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appCommands } from '../../../app/start-commands.ts';
import { assertBuilt } from '../built.ts';
import { standInFlags } from './program.ts';

const dist = join(import.meta.dirname, '..', '..', '..', 'dist');

/** An app as an installer leaves it, whose program is Node on the stand-in. */
export interface InstalledApp {
  /** `lanyard-desktop`. Says of itself that it is an AppImage's file, as an AppImage's own start does. */
  program: string;
  /** `resources/bin/lanyard`, with its start.json. */
  helper: string;
}

/** Lays an installed app out in a folder: the built code, helper and addon, where a package has them. */
export function installApp(folder: string): InstalledApp {
  assertBuilt();
  const program = join(folder, 'lanyard-desktop');
  const resources = join(folder, 'resources');
  const helper = join(resources, 'bin', 'lanyard');
  for (const [from, to] of [
    [join(dist, 'bin', 'lanyard'), helper],
    [join(dist, 'native', 'lanyard.node'), join(resources, 'native', 'lanyard.node')],
  ] as const) {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
  }
  const start = { version: 1, ...appCommands(['../../lanyard-desktop'], 'linux') };
  writeFileSync(join(resources, 'bin', 'start.json'), JSON.stringify(start), { mode: 0o644 });
  const variables = {
    APPIMAGE: program,
    APPDIR: dirname(process.execPath),
    STAND_IN_PACKAGED: '1',
    STAND_IN_RESOURCES: resources,
  };
  const words = [process.execPath, ...standInFlags, join(dist, 'app', 'main.js')].map((word) => `'${word}'`);
  const set = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  writeFileSync(program, `#!/bin/sh\n${set.join('\n')}\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
  return { program, helper };
}
