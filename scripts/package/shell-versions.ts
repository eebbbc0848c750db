import { spawnSync } from 'node:child_process';
import { findElectron } from '../find-electron.ts';

/** What Electron's binary on this machine says is inside it; empty where none can be asked. */
export function shellVersions(
  root: string,
  env: NodeJS.ProcessEnv,
): Readonly<Record<string, string | undefined>> {
  const electron = findElectron(root, env);
  if (electron === null) {
    return {};
  }
  const { status, stdout } = spawnSync(electron, ['-p', 'JSON.stringify(process.versions)'], {
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return status === 0 ? (JSON.parse(stdout) as Record<string, string>) : {};
}
