import type { z } from 'zod';
import type { CallSpec } from '../call.ts';
import { accountCalls } from './accounts.ts';
import { activityCalls } from './activity.ts';
import { approvalCalls } from './approvals.ts';
import { clusterDetailCalls } from './cluster-detail.ts';
import { clusterCalls } from './clusters.ts';
import { confirmingCalls } from './confirming.ts';
import { contextCalls } from './contexts.ts';
import { desktopCalls } from './desktop.ts';
import { dockerCalls } from './docker.ts';
import { entryCalls } from './entries.ts';
import { historyCalls } from './history.ts';
import { importCalls } from './import.ts';
import { inventoryCalls } from './inventories.ts';
import { lockCalls } from './lock.ts';
import { loginCalls } from './logins.ts';
import { metricsCalls } from './metrics.ts';
import { providerCalls } from './providers.ts';
import { registryCalls } from './registries.ts';
import { requestProxyCalls } from './request-proxy.ts';
import { settingsCalls } from './settings.ts';
import { toolsCalls } from './tools.ts';

/** Every call of a page, by name; one file for each area. */
export const uiCalls = {
  ...lockCalls,
  ...loginCalls,
  ...accountCalls,
  ...activityCalls,
  ...clusterCalls,
  ...registryCalls,
  ...inventoryCalls,
  ...providerCalls,
  ...dockerCalls,
  ...historyCalls,
  ...metricsCalls,
  ...approvalCalls,
  ...clusterDetailCalls,
  ...requestProxyCalls,
  ...entryCalls,
  ...confirmingCalls,
  ...importCalls,
  ...settingsCalls,
  ...desktopCalls,
  ...contextCalls,
  ...toolsCalls,
} as const;

export type CallName = keyof typeof uiCalls;
export type CallInput<Name extends CallName> = z.input<(typeof uiCalls)[Name]['input']>;
export type CallOutput<Name extends CallName> = z.output<(typeof uiCalls)[Name]['output']>;
export type CallProgress<Name extends CallName> = (typeof uiCalls)[Name] extends { progress: infer Schema }
  ? Schema extends z.ZodType
    ? z.output<Schema>
    : never
  : never;

/** The schemas of one call; null: there is no call of that name. */
export function callSpec(name: string): CallSpec | null {
  return Object.hasOwn(uiCalls, name) ? uiCalls[name as CallName] : null;
}
