import { observe } from '../../domain/text/finding.ts';
import type { VaultFileState } from '../../vault/inspect-file.ts';
import type { Check } from '../check.ts';

/** Checks the vault’s file while no broker has it open. */
export function vaultFileCheck(look: () => Promise<VaultFileState>): Check {
  return {
    group: 'broker',
    name: 'vault',
    subject: null,
    run: async () => {
      const found = observe('vault');
      const seen = await look();
      switch (seen.kind) {
        case 'missing':
          return [found.note('there is no vault yet', 'the first agent makes it: lanyard agent')];
        case 'broken':
          return [
            found.problem(
              `the vault can’t be read: ${seen.reason}`,
              'lanyard agent, then: lanyard vault restore',
            ),
          ];
        case 'whole':
          return [found.ok(`the vault’s file is whole (generation ${seen.generation})`)];
      }
    },
  };
}
