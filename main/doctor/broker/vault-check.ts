import { observe } from '../../domain/text/finding.ts';
import type { VaultState } from '../../ports/vault.ts';
import type { Check, Observed } from '../check.ts';

/** Checks the vault as the broker has it: its state and its unlock methods. */
export function vaultCheck(state: () => VaultState): Check {
  return { group: 'broker', name: 'vault', subject: null, run: () => observeVault(state()) };
}

export function observeVault(state: VaultState): Observed[] {
  const found = observe('vault');
  switch (state.kind) {
    case 'open':
      return state.slots.length === 1
        ? [
            found.ok('the vault is open'),
            observe('vault.ways').note(
              `the vault has only one unlock method, ${wayText(state.slots[0])}: if you lose it, the vault is lost`,
              'lanyard recovery-key create',
            ),
          ]
        : [found.ok(`the vault is open; ${state.slots.map(wayText).join(', ')} open it`)];
    case 'locked':
      return [found.warning(`the vault is locked: ${state.reason}`, 'lanyard unlock')];
    case 'none':
      return [found.problem(`there is no vault: ${state.reason}`, 'lanyard unlock')];
    case 'broken':
      return [found.problem(`the vault can’t be read: ${state.reason}`, state.hint)];
  }
}

function wayText(way: string | undefined): string {
  return way === 'recoveryKey' ? 'the recovery key' : `the ${way}`;
}
