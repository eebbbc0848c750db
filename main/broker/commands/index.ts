import type { Command } from '../../doors/cli/command.ts';
import type { Areas } from '../areas.ts';
import type { Pages } from '../pages.ts';
import { accountCommands } from './accounts.ts';
import { activityCommands } from './activity.ts';
import { clusterCommands } from './clusters.ts';
import { inventoryCommands } from './inventories.ts';
import { kubeconfigCommands } from './kubeconfigs.ts';
import { profileCommands } from './profiles.ts';
import { proxyCommands } from './proxy.ts';
import { registryCommands } from './registries.ts';
import { statusCommands } from './status.ts';
import { toolCommands } from './tools.ts';
import { vaultCommands } from './vault.ts';

/** Every command of the command line, by its words. */
export function createCliCommands(areas: Areas, pages: Pages): Map<string, Command> {
  return new Map([
    ...accountCommands(areas),
    ...clusterCommands(areas),
    ...proxyCommands(areas),
    ...registryCommands(areas),
    ...inventoryCommands(areas),
    ...profileCommands(areas),
    ...kubeconfigCommands(areas),
    ...vaultCommands(areas),
    ...activityCommands(areas),
    ...statusCommands(areas),
    ...toolCommands(areas, pages),
  ]);
}
