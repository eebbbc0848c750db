import type { z } from 'zod';
import type { ConfigEntry, EntryProblem } from '../../../main/contract/ui/calls/entries.ts';
import { fieldFault } from './field-fault.ts';

/** How the entries of one kind are shown in a form. `Values`: the fields as they are typed or chosen. */
export interface EntryRules<Values> {
  /** Null: a new entry. */
  valuesOf(entry: ConfigEntry | null): Values;
  /** Based on the entry before: keys that the form doesn’t show stay. */
  entryOf(values: Values, before: ConfigEntry | null): ConfigEntry;
  /** What can be found without the broker, by field; `''`: the whole entry. */
  faultsOf(next: ConfigEntry, values: Values, before: ConfigEntry | null): Faults;
}

export type Faults = Readonly<Record<string, string>>;

export interface EntryFieldsProps<Values> {
  values: Values;
  faults: Faults;
  /** What the broker said of the entry as it was a moment ago. */
  problems: readonly EntryProblem[];
  onChange(part: Partial<Values>): void;
}

export interface EntryTestProps<Values> {
  /** The entry as it is typed. */
  entry: ConfigEntry;
  /** It has no fault that the page knows. Else `showFaults` leads to the first. */
  isSound: boolean;
  showFaults(): void;
  onChange(part: Partial<Values>): void;
  /** Leads to the field of a key. */
  onShow(key: string): void;
}

/** The first problem of each field. Problems of no field have the key ''. */
export function byField(problems: readonly EntryProblem[]): Faults {
  const found = new Map<string, string>();
  for (const { field, message, severity } of problems) {
    if (severity === 'error' && !found.has(field ?? '')) {
      found.set(field ?? '', message);
    }
  }
  return Object.fromEntries(found);
}

/** The faults that the schema of config.yaml finds. */
export function schemaFaults(schema: z.ZodType, entry: ConfigEntry): Faults {
  const parsed = schema.safeParse(entry);
  const issues = parsed.success ? [] : parsed.error.issues;
  return byField(
    issues.map((issue) => {
      const [field] = issue.path;
      const key = field === undefined ? null : String(field);
      return { field: key, message: fieldFault(issue, key ?? ''), severity: 'error' };
    }),
  );
}
