import type { SampleHandlers } from '../sample-calls.ts';
import { accountSample } from './account-sample.ts';
import { activitySample } from './activity-sample.ts';
import { clusterDetailSample } from './cluster-detail-sample.ts';
import { clusterSample } from './cluster-sample.ts';
import { confirmSample } from './confirm-sample.ts';
import { contextSample } from './context-sample.ts';
import { desktopSample } from './desktop-sample.ts';
import { dockerSample } from './docker-sample.ts';
import { entrySample } from './entry-sample.ts';
import { historySample } from './history-sample.ts';
import { importSample } from './import-sample.ts';
import { inventorySample } from './inventory-sample.ts';
import { lockSample } from './lock-sample.ts';
import { loginSample } from './login-sample.ts';
import { metricsSample } from './metrics-sample.ts';
import { providerSample } from './provider-sample.ts';
import { questionSample } from './question-sample.ts';
import { registrySample } from './registry-sample.ts';
import { requestProxySample } from './request-proxy-sample.ts';
import { settingsSample } from './settings-sample.ts';
import { toolsSample } from './tools-sample.ts';

/** Answers the contract's calls from the invented world. One file for each area. */
export const sampleHandlers: SampleHandlers = {
  ...lockSample,
  ...loginSample,
  ...accountSample,
  ...activitySample,
  ...clusterSample,
  ...historySample,
  ...metricsSample,
  ...questionSample,
  ...clusterDetailSample,
  ...requestProxySample,
  ...entrySample,
  ...confirmSample,
  ...importSample,
  ...registrySample,
  ...inventorySample,
  ...providerSample,
  ...dockerSample,
  ...settingsSample,
  ...desktopSample,
  ...contextSample,
  ...toolsSample,
};
