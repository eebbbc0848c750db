import { win32 } from 'node:path';
import { windowsVariable } from '../../../base/windows-variable.ts';
import { windowsRoot } from '../../../domain/program/windows-program.ts';

/** The folder that a plugin whose answer is shared runs in: the user's home. `broker`: the broker's own environment. */
export function pluginFolder(
  broker: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform !== 'win32') {
    return broker['HOME'] ?? '/';
  }
  return windowsVariable(broker, 'USERPROFILE') ?? win32.parse(windowsRoot(broker)).root;
}
