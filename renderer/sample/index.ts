export { createSampleCarrier, type SampleCarrier } from './sample-carrier.ts';
export { isSampleState, type SampleState, sampleStates } from './sample-states.ts';
