import { readlink } from 'node:fs/promises';
import { posix } from 'node:path';
import { BrokerError } from '../../contract/broker-error.ts';
import { type PlaceDeps, place, type Wanted } from '../place.ts';
import { inOrder, removeEntry } from '../remove-entry.ts';
import { agentLabel, launchdPlist } from './launchd-plist.ts';
import type { ServiceManager } from './manager.ts';
import { type ServiceCommand, systemdUnit, unitName } from './systemd-unit.ts';

export interface ServiceDeps extends PlaceDeps {
  /** Only `linux` and `darwin` have a service. */
  platform: string;
  uid: number;
  /** The caller's: HOME, XDG_CONFIG_HOME. */
  environment: Readonly<Record<string, string | undefined>>;
  manager: ServiceManager;
}

export interface ServiceWish extends ServiceCommand {
  /** The file for the broker’s output under launchd. */
  log: string;
  /** Whether a broker of this home runs now. */
  isRunning: boolean;
}

/**
 * Makes the system start the broker at each login. Returns lines for the user. A second time it changes nothing. Throws
 * BrokerError `agent.service.…` where the system has no such service, or its file isn’t Lanyard’s.
 */
export async function installService(wish: ServiceWish, deps: ServiceDeps): Promise<string[]> {
  switch (deps.platform) {
    case 'linux':
      return installUnit(wish, deps);
    case 'darwin':
      return installLaunchAgent(wish, deps);
    default:
      throw notHere();
  }
}

/** Removes the service; a running broker goes on. Returns lines for the user. */
export async function uninstallService(deps: ServiceDeps): Promise<string[]> {
  if (deps.platform !== 'linux' && deps.platform !== 'darwin') {
    throw notHere();
  }
  const paths = serviceFiles(deps);
  const entries = (await deps.ledger.entries()).filter(
    (entry) =>
      paths.includes(entry.path) ||
      (entry.kind === 'folder' && paths.some((path) => path.startsWith(`${entry.path}/`))),
  );
  if (!entries.some(({ kind }) => kind !== 'folder')) {
    return ['The agent isn’t started at login by anything that Lanyard put there.'];
  }
  const left: string[] = [];
  for (const entry of inOrder(entries)) {
    const outcome = await removeEntry(entry, deps.ledger);
    if (outcome.kind === 'left' || outcome.kind === 'failed') {
      left.push(`${entry.path} was left: ${outcome.what}`);
    }
  }
  await forgetService(deps);
  if (left.length > 0) {
    throw new BrokerError('agent.service.left', left.join('; '), {
      reason: 'notPermitted',
      hint: 'check it, and remove it yourself',
    });
  }
  return ['The agent is no longer started at login. One that runs goes on.'];
}

/** Makes the system read its units again; the broker goes on. */
export async function forgetService({
  platform,
  manager,
}: Pick<ServiceDeps, 'platform' | 'manager'>): Promise<void> {
  // For launchd nothing is needed: the next login finds no agent. Unloading it would end the broker.
  if (platform === 'linux') {
    await manager.run(['daemon-reload']);
  }
}

async function installUnit(wish: ServiceWish, deps: ServiceDeps): Promise<string[]> {
  const [enabled = '', unit = ''] = serviceFiles(deps);
  const outcome = await put({ kind: 'unit', path: unit, content: Buffer.from(systemdUnit(wish)) }, deps);
  // Does what `systemctl enable` does. Made here, it is on the list for removal, and needs no running manager.
  await put({ kind: 'link', path: enabled, target: unit }, deps);
  const lines = [`The agent is started at login by ${unit}.`];
  if (!(await deps.manager.run(['daemon-reload']))) {
    lines.push(
      `No user manager of systemd’s answers here; where one runs: ${deps.manager.line(['daemon-reload'])}`,
    );
  } else if (await deps.manager.run(['is-active', '--quiet', unitName])) {
    const again = `${deps.manager.line(['restart', unitName])} takes the new unit into use`;
    lines.push(outcome === 'replaced' ? `It runs; ${again}.` : 'It runs.');
  } else if (wish.isRunning) {
    lines.push(
      'An agent runs that the service didn’t start: it goes on, and the next login’s is the service’s.',
    );
  } else if (await deps.manager.run(['start', unitName])) {
    lines.push('It runs.');
  } else {
    lines.push(`It could not be started now: ${deps.manager.line(['status', unitName])} says more.`);
  }
  return lines;
}

async function installLaunchAgent(wish: ServiceWish, deps: ServiceDeps): Promise<string[]> {
  const [plist = ''] = serviceFiles(deps);
  // XML 1.0 can’t represent them (section 2.2).
  if ([...wish.command, wish.home ?? '', wish.log].some((word) => /\p{Cc}/u.test(word))) {
    throw new BrokerError('agent.service.path', 'a path with a control character can’t be told to launchd', {
      reason: 'usage',
    });
  }
  const outcome = await put({ kind: 'unit', path: plist, content: Buffer.from(launchdPlist(wish)) }, deps);
  const lines = [`The agent is started at login by ${plist}.`];
  const domain = `gui/${deps.uid}`;
  const bootstrap = ['bootstrap', domain, plist];
  if (await deps.manager.run(['print', `${domain}/${agentLabel}`])) {
    lines.push(outcome === 'replaced' ? 'The next login takes the new one into use.' : 'launchd knows it.');
  } else if (wish.isRunning) {
    lines.push('An agent runs that launchd didn’t start: it goes on, and the next login’s is launchd’s.');
  } else if (await deps.manager.run(bootstrap)) {
    lines.push('It runs.');
  } else {
    lines.push(`launchd doesn’t take it now; at the next login it does, or: ${deps.manager.line(bootstrap)}`);
  }
  return lines;
}

/** All files of an installation, the last made first. */
function serviceFiles({ platform, environment }: Pick<ServiceDeps, 'platform' | 'environment'>): string[] {
  const { HOME: home = '', XDG_CONFIG_HOME: config = '' } = environment;
  if (!posix.isAbsolute(home)) {
    throw new BrokerError('agent.service.home', 'HOME doesn’t hold an absolute path', {
      reason: 'usage',
      hint: 'set HOME to your home folder',
    });
  }
  if (platform === 'darwin') {
    return [posix.join(home, 'Library/LaunchAgents', `${agentLabel}.plist`)];
  }
  const folder = posix.join(posix.isAbsolute(config) ? config : posix.join(home, '.config'), 'systemd/user');
  return [posix.join(folder, 'default.target.wants', unitName), posix.join(folder, unitName)];
}

async function put(wanted: Wanted, deps: ServiceDeps): Promise<'made' | 'replaced' | 'present'> {
  const outcome = await place(wanted, deps);
  if (outcome.kind !== 'left') {
    return outcome.kind;
  }
  if (wanted.kind === 'link' && (await leadsTo(wanted.path, wanted.target))) {
    return 'present';
  }
  throw new BrokerError('agent.service.left', `${wanted.path} was left as it is: ${outcome.what}`, {
    reason: 'notPermitted',
    hint: 'move it away, then try again; your changes belong in a drop-in (systemctl --user edit lanyard)',
  });
}

/** Newer systemctls write a relative link where older ones wrote an absolute one. */
async function leadsTo(path: string, target: string): Promise<boolean> {
  const link = await readlink(path).catch(() => null);
  return link !== null && posix.resolve(posix.dirname(path), link) === target;
}

function notHere(): BrokerError {
  return new BrokerError('agent.service.platform', 'Lanyard has no service for this system yet', {
    reason: 'usage',
    hint: 'start it at login with: lanyard agent',
  });
}
