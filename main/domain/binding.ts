import { type BoundSettings, defaultSettings, settingSchemas } from '../contract/config.ts';
import { accountShape, clusterShape, type ShapeValue, settingShapes } from './cluster-shape.ts';
import type { Confirmed, LoadedAccount, LoadedCluster, LoadedConfig } from './loaded-config.ts';
import { shellWord } from './shell-line.ts';
import { visibleText } from './visible-text.ts';

export { accountShape, clusterShape, settingShapes } from './cluster-shape.ts';

/** Something in the config that no person has confirmed as it now is: held until one does (rule 8). */
export interface HeldChange {
  what: 'account' | 'cluster' | 'setting';
  name: string;
  change: 'new' | 'changed';
  /** The difference for people: `+ server: …`, `- server: …`. No control characters. */
  lines: string[];
}

/** How a shape is had; one that keeps them makes each only once. */
export interface ShapeOf {
  account(loaded: LoadedAccount): string;
  cluster(loaded: LoadedCluster): string;
}

const plainShapes: ShapeOf = { account: accountShape, cluster: clusterShape };

/** Keeps the shape of each account and cluster as long as its object is in force. */
export function createKeptShapes(): ShapeOf {
  const kept = new WeakMap<object, string>();
  const keep = <Loaded extends object>(loaded: Loaded, shapeOf: (loaded: Loaded) => string) => {
    const shape = kept.get(loaded) ?? shapeOf(loaded);
    kept.set(loaded, shape);
    return shape;
  };
  return {
    account: (loaded) => keep(loaded, accountShape),
    cluster: (loaded) => keep(loaded, clusterShape),
  };
}

/** Before anything was approved. */
export const unapproved: Omit<Confirmed, 'programs'> = { accounts: {}, clusters: {}, settings: {} };

/** What counts of the settings before anybody has confirmed one. */
const unsaidSettings: Readonly<Record<string, string>> = {
  lock: '{}',
  history: '{}',
  metrics: '{}',
};

/** The settings as a person confirmed them; the defaults where nobody has, or where they can't be read. */
export function confirmedSettings(confirmed: Confirmed['settings']): BoundSettings {
  const setting = <Name extends keyof BoundSettings>(name: Name): BoundSettings[Name] => {
    const shape = Object.hasOwn(confirmed, name) ? parse(confirmed[name] ?? '') : {};
    const parsed = settingSchemas[name].safeParse(shape);
    return (parsed.success ? parsed.data : defaultSettings[name]) as BoundSettings[Name];
  };
  return { lock: setting('lock'), history: setting('history'), metrics: setting('metrics') };
}

/** What differs from what was confirmed. What has gone from the config isn't held: it hands out nothing. */
export function heldChanges(
  config: LoadedConfig,
  confirmed: Omit<Confirmed, 'programs'>,
  shapeOf: ShapeOf = plainShapes,
): HeldChange[] {
  const shapes = shapesOf(config, shapeOf);
  return [
    ...changesOf('account', shapes.accounts, confirmed.accounts),
    ...changesOf('cluster', shapes.clusters, confirmed.clusters),
    ...changesOf('setting', shapes.settings, { ...unsaidSettings, ...confirmed.settings }),
  ];
}

/** The whole config as it would be confirmed. */
export function shapesOf(config: LoadedConfig, shapeOf: ShapeOf = plainShapes): Omit<Confirmed, 'programs'> {
  return {
    accounts: Object.fromEntries([...config.accounts].map(([name, each]) => [name, shapeOf.account(each)])),
    clusters: Object.fromEntries([...config.clusters].map(([name, each]) => [name, shapeOf.cluster(each)])),
    settings: settingShapes(config.settings),
  };
}

function changesOf(
  what: HeldChange['what'],
  now: Record<string, string>,
  confirmed: Record<string, string>,
): HeldChange[] {
  return Object.entries(now).flatMap(([name, shape]): HeldChange[] => {
    // An own property only: `constructor` is a fine name for a cluster.
    const known = Object.hasOwn(confirmed, name) ? confirmed[name] : undefined;
    if (known === shape) {
      return [];
    }
    const lines = difference(known === undefined ? {} : parse(known), parse(shape));
    return [{ what, name, change: known === undefined ? 'new' : 'changed', lines }];
  });
}

type Shape = Record<string, ShapeValue | undefined>;

function parse(shape: string): Shape {
  try {
    return JSON.parse(shape) as Shape;
  } catch {
    return {}; // not of this program's making: all of the new shape is shown as new
  }
}

function difference(before: Shape, now: Shape): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return keys.flatMap((key) => {
    const [old, next] = [text(before[key]), text(now[key])];
    if (old === next) {
      return [];
    }
    return [
      ...(old === undefined ? [] : [`- ${key}: ${old}`]),
      ...(next === undefined ? [] : [`+ ${key}: ${next}`]),
    ];
  });
}

function text(value: ShapeValue | undefined): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  // Whole: what a cut would hide would be confirmed unseen. The config file's size bounds it.
  return visibleText(typeof value === 'object' ? value.map(listed).join(' ') : String(value), Infinity);
}

/** One of a list, so that two lists never look alike: `a b` is not `a` and `b`. */
function listed(word: string): string {
  return /^[^\s'"\\]+$/.test(word) ? word : shellWord(word);
}
