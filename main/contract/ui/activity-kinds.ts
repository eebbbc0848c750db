/** The kinds of event on record. */
export const activityKinds = [
  'call',
  'login',
  'logout',
  'generation',
  'renewal',
  'pluginRun',
  'rejection',
  'approval',
  'inventory',
  'lock',
  'change',
  'request',
  'moreRequests',
] as const;

/** Programs send many: they are shown where they are asked for. */
export const requestKinds = ['request', 'moreRequests'] as const satisfies (typeof activityKinds)[number][];

/** All but those. */
export const usualKinds = activityKinds.filter((kind) => !(requestKinds as readonly string[]).includes(kind));
