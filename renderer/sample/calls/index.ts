import type { SampleHandlers } from '../sample-calls.ts';
import { clusterSample } from './cluster-sample.ts';
import { confirmSample } from './confirm-sample.ts';
import { importSample } from './import-sample.ts';
import { lockSample } from './lock-sample.ts';
import { loginSample } from './login-sample.ts';

/** Answers to the contract's calls from the invented world: one file for each area. What is missing is refused. */
export const sampleHandlers: SampleHandlers = {
  ...lockSample,
  ...loginSample,
  ...clusterSample,
  ...confirmSample,
  ...importSample,
};
