import { isDeepStrictEqual } from 'node:util';
import { groupOf } from '../../contract/config/config.ts';
import {
  type Confirmed,
  entriesOf,
  type Loaded,
  type LoadedConfig,
  loadedEntries,
} from '../loaded-config.ts';
import { entryOfForm } from './approved-form.ts';
import { kindRules, type ShapeOf } from './kind-rules.ts';

/** What is served (rule: confirmed-binding). */
export interface ActiveForms {
  /**
   * The names of config.yaml, in its order: each entry in its approved form, narrowed by a pending change. An entry
   * without an approved form is as the file has it, and is listed in `unserved`.
   */
  config: LoadedConfig;
  /** `KIND NAME`: nothing is issued for these until they are approved. */
  unserved: ReadonlySet<string>;
}

/** `settings` are the file's; those that need approval come from `approvedSettings`. */
export function activeForms(
  file: LoadedConfig,
  approved: Omit<Confirmed, 'settings' | 'programs'>,
  shapeOf: ShapeOf,
): ActiveForms {
  const unserved = new Set<string>();
  const entries = loadedEntries((kind) => {
    const shapes = approved[groupOf(kind)];
    const forms = approved.forms[groupOf(kind)];
    const active = new Map(entriesOf(file, kind));
    let isFile = true;
    for (const [name, entry] of active) {
      const shape = own(shapes, name);
      if (shape === undefined || shape !== shapeOf(kind, entry)) {
        const form = shape === undefined ? null : entryOfForm(kind, name, own(forms, name) ?? '', shape);
        if (form === null || isOtherProfile(form, entry)) {
          unserved.add(`${kind} ${name}`);
        } else {
          active.set(name, kindRules[kind].narrowed(form, entry));
          isFile = false;
        }
      }
    }
    // The map of the file itself where nothing differs from it.
    return isFile ? entriesOf(file, kind) : active;
  });
  return { config: { ...entries, settings: file.settings }, unserved };
}

/** An approval under its name may be that of another profile, or of one that was made again: it is not its own. */
function isOtherProfile(form: Loaded, entry: Loaded): boolean {
  return !isDeepStrictEqual(identityOf(form), identityOf(entry));
}

/** Its provider may change. */
function identityOf({ origin }: Loaded): object | null {
  return origin === undefined ? null : { ...origin, provider: null };
}

/** An own property only: a cluster may be named `constructor`. */
export function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
