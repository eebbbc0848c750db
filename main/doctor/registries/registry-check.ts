import { coversStrangers } from '../../domain/image/shared-domains.ts';
import type { LoadedRegistry } from '../../domain/loaded-config.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Directory, Gate } from '../../ports/broker-core.ts';
import { type Check, isPending, listed, type Observed } from '../check.ts';

/**
 * Checks one registry of config.yaml: whether it is approved, whether its account exists, and whom its patterns cover.
 * A pattern that matches nothing, or that two registries have, is an error of config.yaml. The account has its own check.
 */
export function registryCheck(
  { name, config }: LoadedRegistry,
  of: { gate: Gate; directory: Pick<Directory, 'account' | 'registry'> },
): Check {
  return {
    group: 'registries',
    name: 'registry',
    subject: name,
    run: () => {
      const found = observe('registry');
      const shut = of.gate();
      if (shut) {
        return [found.note(`not checked: ${shut.message}`, shut.hint ?? null)];
      }
      const known = of.directory.registry(name);
      if (!known.ok) {
        return isPending(known) ? [] : [found.warning(known.message, known.hint ?? null)];
      }
      const account = of.directory.account(config.account);
      if (!account.ok) {
        return isPending(account)
          ? []
          : [found.problem(`it gets no credential: ${account.message}`, account.hint ?? null)];
      }
      return [
        ...strangersIn(config.matchImages),
        found.ok(`the account ${config.account} answers for ${listed(config.matchImages)}`),
      ];
    },
  };
}

function strangersIn(patterns: readonly string[]): Observed[] {
  const wide = patterns.filter(coversStrangers);
  return wide.length === 0
    ? []
    : [
        observe('registry.strangers').warning(
          `anyone can register a name that ${listed(wide)} covers, and would get the credential`,
          'name your own registries in matchImages, one pattern each',
        ),
      ];
}
