import { dirname } from 'node:path';
import { wordFor } from '../../../domain/text/shell-line.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { Uninstalled } from '../../../installed/uninstall.ts';
import type { UninstallPlan } from '../../../installed/uninstall-plan.ts';

export interface UninstallPlaces {
  home: string;
  config: string;
  history: string;
  vault: string;
  helper: string;
  platform: string;
  keychainService: string;
}

/** What will be removed, and what stays and why. Shown before anything is done. */
export function planText(plan: UninstallPlan, places: UninstallPlaces): string {
  const back: string[] = [];
  const stays: string[] = [];
  for (const { file } of plan.contexts) {
    back.push(`remove    Lanyard’s contexts in ${visibleText(file)}; its other entries stay`);
  }
  for (const { file, changedSince } of plan.kubeconfigs) {
    const note = changedSince ? ' (changed since: asked about separately)' : '';
    back.push(`restore   ${visibleText(file)}${note}`);
  }
  for (const { file, changedSince } of plan.docker) {
    const where = visibleText(file);
    back.push(changedSince ? `remove    Lanyard’s keys in ${where}` : `restore   ${where}`);
  }
  for (const { kind, path, outcome } of plan.installed) {
    if (outcome.kind === 'left') {
      stays.push(`${visibleText(path)}: ${outcome.what}`);
    } else if (outcome.kind === 'removed' && kind !== 'folder') {
      back.push(`remove    ${visibleText(path)}`);
    }
  }
  const { managed } = plan;
  if (managed.holds === 'own' || managed.holds === 'shared') {
    back.push(
      managed.holds === 'own'
        ? `remove    ${visibleText(managed.path)}`
        : `remove    Lanyard’s entries in ${visibleText(managed.path)}; what others wrote into it stays`,
    );
  } else if (managed.holds === 'unreadable') {
    stays.push(`${visibleText(managed.path)}: it can’t be read as a kubeconfig`);
  }
  back.push(...plan.keysLeft.map((id) => `remove    the keychain’s entry ${places.keychainService}/${id}`));
  back.push(`remove    ${visibleText(places.helper)} and start.json: nothing starts the agent any more`);
  const { files, keychainIds } = plan.vaults;
  const keys = keychainIds.map((id) => `the keychain’s entry ${places.keychainService}/${id}`);
  if (plan.withVault) {
    back.push(...[...files, ...keys, places.history].map((each) => `remove    ${visibleText(each)}`));
  } else {
    const kept = 'logins and secrets; --with-vault removes it, too';
    stays.push(...[...files, ...keys].map((each) => `${visibleText(each)}: ${kept}`));
    stays.push(`${visibleText(places.history)}: what happened; --with-vault removes it, too`);
  }
  const config = visibleText(places.config);
  if (plan.withConfig) {
    back.push(`remove    ${config}`);
  } else {
    stays.push(`${config}: your accounts and clusters; --with-config removes it, too`);
  }
  return [
    'Will be removed:',
    ...back.map((line) => `  ${line}`),
    'Stays:',
    ...stays.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** The result, and what is left for the user to do. */
export function closingText(done: Uninstalled, plan: UninstallPlan, places: UninstallPlaces): string {
  const lines = done.left.map(({ path, why }) => `left     ${visibleText(path)}: ${visibleText(why)}`);
  lines.push(
    ...done.aside.map(
      (path) => `runs     ${visibleText(path)}: it goes when it has ended, or the next time you uninstall`,
    ),
  );
  lines.push(...done.failed.map(({ path, why }) => `FAILED   ${visibleText(path)}: ${visibleText(why)}`));
  if (done.failed.length > 0) {
    lines.push(
      'What failed is still on the list: fix the errors, start Lanyard again and run uninstall again.',
    );
  }
  if (done.stillNamed.length > 0) {
    lines.push(
      `${done.stillNamed.length === 1 ? '1 file still names' : `${done.stillNamed.length} files still name`} the helper, so it stays, and so does the vault with their old content.`,
    );
  } else if (!plan.withVault) {
    const folders = [...new Set([places.home, dirname(places.config)])];
    lines.push(
      `The vault, the history and config.yaml stay. By hand: ${removalLine(folders, places.platform)}`,
    );
    lines.push(...plan.vaults.keychainIds.map((id) => `  ${keychainLine(id, places)}`));
  }
  lines.push('Lanyard is uninstalled; the agent ends.');
  return lines.join('\n');
}

/** On Windows for PowerShell. */
function removalLine(folders: readonly string[], platform: string): string {
  const words = folders.map((folder) => wordFor(folder, platform));
  return platform === 'win32' ? `Remove-Item -Recurse ${words.join(', ')}` : `rm -r ${words.join(' ')}`;
}

/** How the user removes a key that nothing uses any more. */
function keychainLine(vaultId: string, { platform, keychainService }: UninstallPlaces): string {
  switch (platform) {
    case 'darwin':
      return `security delete-generic-password -s ${keychainService} -a ${vaultId}`;
    case 'win32':
      // keytar’s name of a credential: service/account.
      return `cmdkey /delete:${keychainService}/${vaultId}`;
    default:
      return `secret-tool clear service ${keychainService} account ${vaultId}`;
  }
}
