import { dirname, join } from 'node:path';
import { firstProviderName, providerFile } from '../../contract/program-names.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Check } from '../check.ts';
import { isSame } from '../user/on-path-check.ts';

/** Checks the helper under the name by which a kubelet runs it (KEP-2133), in the home’s `bin`. */
export function providerLinkCheck(helper: string): Check {
  const link = join(dirname(helper), providerFile(firstProviderName, process.platform));
  return {
    group: 'registries',
    name: 'registry.provider',
    subject: null,
    run: async () => {
      const found = observe('registry.provider');
      return (await isSame(link, helper))
        ? [found.ok(`a kubelet finds ${link}`)]
        : [
            found.problem(
              `${link} is not this home’s helper: a kubelet gets no credential`,
              'start Lanyard again: it puts the helper there',
            ),
          ];
    },
  };
}
