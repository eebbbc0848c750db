import { byGroup, type ConfiguredKind, groupOf, kindNames } from '../../contract/config/config.ts';
import { type BoundSettings, defaultSettings, settingSchemas } from '../../contract/config/settings.ts';
import { appliesNow } from '../../contract/pending-words.ts';
import {
  type Confirmed,
  type EntryTexts,
  entriesOf,
  type Loaded,
  type LoadedConfig,
  type LoadedEntries,
} from '../loaded-config.ts';
import { authorityTexts } from '../server/authority-text.ts';
import { shellWord } from '../text/shell-line.ts';
import { visibleText } from '../text/visible-text.ts';
import { type ActiveForms, own } from './active-forms.ts';
import { formText } from './approved-form.ts';
import { chainDifference } from './chain-difference.ts';
import { type ShapeValue, settingShapes } from './cluster-shape.ts';
import { type ShapeOf, shapeOfKind } from './kind-rules.ts';
import { narrowedSettings } from './narrowing.ts';

export { accountShape, clusterShape, settingShapes } from './cluster-shape.ts';

/**
 * Something in the config that differs from what was approved (rule: confirmed-binding): pending until the user is
 * shown `lines` and approves them. It has what an approval keeps, so that only what was shown can be approved.
 */
export interface PendingChange {
  what: ConfiguredKind | 'setting';
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
  /** For an entry: the form that is then served (approved-form.ts). */
  form: string | null;
}

/** What was approved, with the forms as far as they are known. */
export type Approved = EntryTexts & Pick<Confirmed, 'settings'> & Partial<Pick<Confirmed, 'forms'>>;

/** Before anything was approved. */
export const unapproved: Approved = { ...byGroup(() => ({})), settings: {} };

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
  approved: Approved,
  shapeOf: ShapeOf = shapeOfKind,
  served?: ActiveForms,
): PendingChange[] {
  const said = { ...unsaidSettings, ...approved.settings };
  const narrowed = settingShapes(narrowedSettings(approvedSettings(approved.settings), config.settings));
  return [
    ...entryChanges(config, approved, shapeOf, served),
    ...Object.entries(settingShapes(config.settings)).flatMap(([name, shape]) =>
      changeOf({ what: 'setting', name, shape, form: () => null }, said, narrowed[name], null),
    ),
  ];
}

type Shapes = Readonly<Record<string, string>>;

/** How entries differ from what was approved under their names. */
export function entryChanges(
  entries: LoadedEntries,
  approved: EntryTexts & Pick<Approved, 'forms'>,
  shapeOf: ShapeOf = shapeOfKind,
  served?: ActiveForms,
): PendingChange[] {
  return kindNames().flatMap((kind) =>
    [...entriesOf(entries, kind).values()].flatMap((entry) => {
      const { name } = entry;
      const now = { what: kind, name, shape: shapeOf(kind, entry), form: () => formText(entry) };
      const form = approved.forms && own(approved.forms[groupOf(kind)], name);
      return changeOf(now, approved[groupOf(kind)], activeShape(kind, name, served, shapeOf), form ?? null);
    }),
  );
}

/** Null: none; undefined: not known here. */
function activeShape(
  kind: ConfiguredKind,
  name: string,
  served: ActiveForms | undefined,
  shapeOf: ShapeOf,
): string | null | undefined {
  const entry: Loaded | undefined = served && entriesOf(served.config, kind).get(name);
  return served?.unserved.has(`${kind} ${name}`) ? null : entry && shapeOf(kind, entry);
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
    if (key === 'chain') {
      return chainDifference(before[key], now[key], applied);
    }
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
