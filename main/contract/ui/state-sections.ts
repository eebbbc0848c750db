/** The sections of the state. Their schemas are in state.ts: the page reads the names before it loads any. */
export const stateSectionNames = [
  'broker',
  'lock',
  'problems',
  'accounts',
  'clusters',
  'registries',
  'inventories',
  'held',
  'imports',
  'questions',
  'strip',
  'window',
  'appearance',
  'desktop',
  'contexts',
  'tools',
] as const;
export type StateSection = (typeof stateSectionNames)[number];
