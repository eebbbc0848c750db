export { agoText, clockText, leftText, spanText, tookText } from './texts.ts';
export { createTicker, type Ticker } from './ticker.ts';
export { TimeProvider, useNow, useOfNow } from './use-now.tsx';
