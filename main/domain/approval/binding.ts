import { type BoundSettings, defaultSettings, settingSchemas } from '../../contract/config/config.ts';
import { appliesNow } from '../../contract/pending-words.ts';
import type { Confirmed, LoadedAccount, LoadedCluster, LoadedConfig } from '../loaded-config.ts';
import { authorityTexts } from '../server/authority-text.ts';
import { shellWord } from '../text/shell-line.ts';
import { visibleText } from '../text/visible-text.ts';
import { type ActiveForms, own } from './active-forms.ts';
import { formText } from './approved-form.ts';
import { accountShape, clusterShape, type ShapeOf, type ShapeValue, settingShapes } from './cluster-shape.ts';
import { narrowedSettings } from './narrowing.ts';

export { accountShape, clusterShape, settingShapes } from './cluster-shape.ts';

/**
 * Something in the config that differs from what was approved (rule: confirmed-binding): pending until the user is
 * shown `lines` and approves them. It has what an approval keeps, so that only what was shown can be approved.
 */
export interface PendingChange {
  what: 'account' | 'cluster' | 'setting';
  name: string;
  change: 'new' | 'changed';
  /** The difference for display: `+ server: …`, `- server: …`. No control characters. */
  lines: string[];
  /** The approved form stays active; else nothing is issued until this is approved. */
  served: boolean;
  /** The shape that was approved when this was shown; null: none. */
  before: string | null;
  /** The shape that an approval makes the approved one. */
  after: string;
  /** For an account or a cluster: the form that is then served (approved-form.ts). */
  form: string | null;
}

const plainShapes: ShapeOf = { account: accountShape, cluster: clusterShape };

/** Caches the shape of each account and cluster as long as its object lives. */
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
export const unapproved: Pick<Confirmed, 'accounts' | 'clusters' | 'settings'> = {
  accounts: {},
  clusters: {},
  settings: {},
};

/** What applies for a setting before one was approved; null: there is no such setting. */
export function unsaidSetting(name: string): string | null {
  return Object.hasOwn(unsaidSettings, name) ? (unsaidSettings[name] ?? null) : null;
}

/** What applies for the settings before any was approved. */
const unsaidSettings: Readonly<Record<string, string>> = {
  lock: '{}',
  history: '{}',
  metrics: '{}',
};

/** The settings as the user approved them; the defaults where none were approved, or they can't be read. */
export function approvedSettings(confirmed: Confirmed['settings']): BoundSettings {
  const setting = <Name extends keyof BoundSettings>(name: Name): BoundSettings[Name] => {
    const shape = Object.hasOwn(confirmed, name) ? parse(confirmed[name] ?? '') : {};
    const parsed = settingSchemas[name].safeParse(shape);
    return (parsed.success ? parsed.data : defaultSettings[name]) as BoundSettings[Name];
  };
  return { lock: setting('lock'), history: setting('history'), metrics: setting('metrics') };
}

/**
 * What differs from what was approved. An entry that was removed from the config is not pending: nothing is issued
 * for it. `served`: what is active meanwhile; absent: as if nothing was narrowed.
 */
export function pendingChanges(
  config: LoadedConfig,
  approved: Pick<Confirmed, 'accounts' | 'clusters' | 'settings'> & Partial<Pick<Confirmed, 'forms'>>,
  shapeOf: ShapeOf = plainShapes,
  served?: ActiveForms,
): PendingChange[] {
  const said = { ...unsaidSettings, ...approved.settings };
  const narrowed = settingShapes(narrowedSettings(approvedSettings(approved.settings), config.settings));
  const account = (name: string) =>
    formInForce('account', name, served?.config.accounts, served, shapeOf.account);
  const cluster = (name: string) =>
    formInForce('cluster', name, served?.config.clusters, served, shapeOf.cluster);
  const formOf = (group: 'accounts' | 'clusters', name: string) =>
    (approved.forms && own(approved.forms[group], name)) ?? null;
  return [
    ...[...config.accounts.values()].flatMap((each) =>
      accountChange(each, approved.accounts, shapeOf, account(each.name), formOf('accounts', each.name)),
    ),
    ...[...config.clusters.values()].flatMap((each) =>
      clusterChange(each, approved.clusters, shapeOf, cluster(each.name), formOf('clusters', each.name)),
    ),
    ...Object.entries(settingShapes(config.settings)).flatMap(([name, shape]) =>
      changeOf({ what: 'setting', name, shape, form: () => null }, said, narrowed[name], null),
    ),
  ];
}

type Shapes = Readonly<Record<string, string>>;

/** The active shape; null: none; undefined: not known here. */
function formInForce<Entry>(
  what: 'account' | 'cluster',
  name: string,
  entries: ReadonlyMap<string, Entry> | undefined,
  served: ActiveForms | undefined,
  shapeOf: (entry: Entry) => string,
): string | null | undefined {
  const entry = entries?.get(name);
  if (served === undefined || entry === undefined) {
    return undefined;
  }
  return served.unserved.has(`${what} ${name}`) ? null : shapeOf(entry);
}

/** How this account differs from what was approved under its name; empty: it doesn't. */
export function accountChange(
  account: LoadedAccount,
  approved: Shapes,
  shapeOf = plainShapes,
  served?: string | null,
  approvedForm: string | null = null,
): PendingChange[] {
  const { name } = account;
  const shape = shapeOf.account(account);
  return changeOf(
    { what: 'account', name, shape, form: () => formText(account) },
    approved,
    served,
    approvedForm,
  );
}

/** The same for a cluster. */
export function clusterChange(
  cluster: LoadedCluster,
  approved: Shapes,
  shapeOf = plainShapes,
  served?: string | null,
  approvedForm: string | null = null,
): PendingChange[] {
  const { name } = cluster;
  const shape = shapeOf.cluster(cluster);
  return changeOf(
    { what: 'cluster', name, shape, form: () => formText(cluster) },
    approved,
    served,
    approvedForm,
  );
}

function changeOf(
  now: Pick<PendingChange, 'what' | 'name'> & { shape: string; form: () => string | null },
  approved: Shapes,
  served: string | null | undefined,
  approvedForm: string | null,
): PendingChange[] {
  const { what, name, shape } = now;
  // An own property only: a cluster may be named `constructor`.
  const before = Object.hasOwn(approved, name) ? (approved[name] ?? null) : null;
  if (before === shape) {
    return [];
  }
  const form = now.form();
  const lines = difference(
    withAuthority(before, approvedForm),
    withAuthority(shape, form),
    withAuthority(served ?? before, approvedForm),
  );
  return [
    {
      what,
      name,
      change: before === null ? 'new' : 'changed',
      served: before !== null && served !== null,
      lines,
      before,
      after: shape,
      form,
    },
  ];
}

type Shape = Record<string, ShapeValue | undefined>;

function parse(shape: string): Shape {
  try {
    return JSON.parse(shape) as Shape;
  } catch {
    return {}; // not made by this program: all of the new shape is shown as new
  }
}

/** With the CA's certificates instead of one digest over all of them, as far as the form is known. */
function withAuthority(shape: string | null, form: string | null): Shape {
  const known = parse(shape ?? '{}');
  const pem = form === null ? undefined : (parse(form)['certificateAuthorityPem'] as unknown);
  return known['certificateAuthority'] !== undefined && typeof pem === 'string'
    ? { ...known, certificateAuthority: authorityTexts(pem) }
    : known;
}

/** `served`: the shape that is active meanwhile. A key that is no longer as it was approved there applies already. */
function difference(before: Shape, now: Shape, served: Shape): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return keys.flatMap((key) => {
    if (key === 'certificateAuthority') {
      return authorityDifference(before[key], now[key]);
    }
    const [old, next] = [text(before[key]), text(now[key])];
    if (old === next) {
      return [];
    }
    const applied = text(served[key]) === old ? '' : ` ${appliesNow}`;
    return [
      ...(old === undefined ? [] : [`- ${key}: ${old}${next === undefined ? applied : ''}`]),
      ...(next === undefined ? [] : [`+ ${key}: ${next}${applied}`]),
    ];
  });
}

/** One line for each certificate that is removed or added; none for one that stays. */
function authorityDifference(before: ShapeValue | undefined, now: ShapeValue | undefined): string[] {
  const listOf = (value: ShapeValue | undefined) =>
    value === undefined ? [] : typeof value === 'object' ? [...value] : [String(value)];
  const [old, next] = [listOf(before), listOf(now)];
  const line = (sign: string, each: string) => `${sign} certificateAuthority: ${visibleText(each, Infinity)}`;
  return [
    ...old.filter((each) => !next.includes(each)).map((each) => line('-', each)),
    ...next.filter((each) => !old.includes(each)).map((each) => line('+', each)),
  ];
}

function text(value: ShapeValue | undefined): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  // Complete: a cut would let the user approve what they didn't see. The config file's size bounds it.
  return visibleText(typeof value === 'object' ? value.map(listed).join(' ') : String(value), Infinity);
}

/** One item of a list, so that two lists never have the same text: `a b` is not `a` and `b`. */
function listed(word: string): string {
  return /^[^\s'"\\]+$/.test(word) ? word : shellWord(word);
}
