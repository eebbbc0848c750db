export { agoText, clockText, leftText, spanText, tookText } from '../../../main/contract/ui/time-texts.ts';
export { type RoundTime, roundTimes } from './round-times.ts';
export { createTicker, type Ticker } from './ticker.ts';
export { TimeProvider, useNow, useOfNow } from './use-now.tsx';
