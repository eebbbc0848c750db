import { parseArgs } from 'node:util';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { argumentFault } from '../../domain/text/argument-fault.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** As in config.yaml (contract/config/inventory.ts). */
const longestProvider = 256;
const longestProfile = 512;
/** As the hub’s API server demands; an inventory’s name may come before it. */
const profileText = /^([A-Za-z0-9][A-Za-z0-9._-]*:)?[a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*$/;
const usage = 'usage: lanyard cluster-credential --provider NAME [--profile INVENTORY:NAMESPACE/NAME]';

/** The library adds a profile’s arguments to those of its plugin, which is Lanyard here. */
const appended =
  '; if a profile’s arguments came with it: set profileSourcedCLIArgsPolicy to Ignore in the controller’s provider file, and to Append at the provider in config.yaml';

/** What follows `cluster-credential` in the `args` of a controller’s provider file. */
export function parseControllerArguments(
  args: readonly string[],
): { ok: true; provider: string; profile: string | null } | Refusal {
  const wrong = (fault: string, hint = usage) =>
    refuse('usage', 'controller.usage', `cluster-credential${fault}`, hint);
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { provider: { type: 'string' }, profile: { type: 'string' } },
      strict: true,
    });
    const { provider, profile = null } = values;
    if (!provider) {
      return wrong(' needs --provider');
    }
    if (provider.length > longestProvider) {
      return wrong(': a name is too long');
    }
    return profile === null || (profile.length <= longestProfile && profileText.test(profile))
      ? { ok: true, provider, profile }
      : wrong(': --profile is NAMESPACE/NAME or INVENTORY:NAMESPACE/NAME');
  } catch (error) {
    return wrong(`: ${visibleText(argumentFault(error), 300)}`, `${usage}${appended}`);
  }
}
