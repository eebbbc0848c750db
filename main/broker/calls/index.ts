import type { Disposables } from '../../base/disposables.ts';
import { callLimits, limitCalls } from '../../doors/ui/calls/limit-asking.ts';
import type { UiHandlers } from '../../doors/ui/handlers.ts';
import type { Areas } from '../areas.ts';
import { accountCalls } from './accounts.ts';
import { activityCalls } from './activity.ts';
import { clusterCalls } from './clusters.ts';
import { consentCalls } from './consent.ts';
import { entryCalls } from './entries.ts';
import { importCalls } from './imports.ts';
import { inventoryCalls } from './inventories.ts';
import { registryCalls } from './registries.ts';
import { settingsCalls } from './settings.ts';

/** An answer to each of the UI's calls; a missing one doesn't compile. */
export function createUiCalls(areas: Areas, disposables: Disposables): UiHandlers {
  const handlers = {
    ...accountCalls(areas),
    ...clusterCalls(areas),
    ...registryCalls(areas),
    ...inventoryCalls(areas),
    ...entryCalls(areas),
    ...activityCalls(areas),
    ...consentCalls(areas),
    ...importCalls(areas, disposables),
    ...settingsCalls(areas),
  };
  return limitCalls(handlers, callLimits, areas.deps.clock);
}
