import { access, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { InstalledEntry } from '../entry.ts';
import { inspectPath, isAsMade } from '../inspect-path.ts';
import { type PlaceDeps, place } from '../place.ts';
import { agentLabel, readCommand, withCommand } from './launchd-plist.ts';

/**
 * Names this program in Lanyard’s launch agent where the program that it names is gone: the app was moved. Keeps the
 * arguments that the user gave it, such as a passphrase file. Leaves one that the user changed or removed. launchd takes
 * the new one at the next login. `command`: what start.json says, which ends with `agent` for an installed app. Returns
 * the path of an agent that was made anew, else null.
 */
export async function repairLaunchAgent(command: readonly string[], deps: PlaceDeps): Promise<string | null> {
  const entry = (await deps.ledger.entries()).find(isLaunchAgent);
  if (!entry || !isAsMade(entry, await inspectPath(entry.path))) {
    return null;
  }
  const text = await readFile(entry.path, 'utf8');
  const old = readCommand(text);
  const agent = old?.indexOf('agent') ?? -1;
  const [program] = old ?? [];
  if (!old || program === undefined || agent < 0 || (await isThere(program))) {
    return null;
  }
  const content = Buffer.from(withCommand(text, [...command, ...old.slice(agent + 1)]));
  const { kind } = await place({ kind: 'unit', path: entry.path, content }, deps);
  return kind === 'replaced' ? entry.path : null;
}

function isLaunchAgent({ kind, path }: InstalledEntry): boolean {
  return kind === 'unit' && posix.basename(path) === `${agentLabel}.plist`;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
