export { agoText, clockText, leftText, spanText, tookText } from '../../../main/contract/ui/time-texts.ts';
export { createTicker, type Ticker } from './ticker.ts';
export { TimeProvider, useNow, useOfNow } from './use-now.tsx';
