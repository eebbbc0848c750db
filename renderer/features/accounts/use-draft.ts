import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { AccountDraft, ProgramElsewhere } from '../../../main/contract/ui/calls/accounts.ts';
import { useCall } from '../../stores/use-call.ts';
import type { Kind } from './account-words.ts';
import { fieldsOf } from './fields.ts';
import { changesOf, type FormValues, formOf } from './form-values.ts';
import { errorOf, pageProblems } from './page-check.ts';

export interface DraftForm {
  draft: AccountDraft;
  values: FormValues;
  setName(name: string): void;
  set(key: string, value: string | boolean): void;
  /** The fault of a field that was touched. */
  error(field: string): string | null;
  /** Faults of the account, not of one field. */
  general: readonly string[];
  /** Whether it may be saved, as far as the page knows. */
  good: boolean;
  /** Whether it can be tested: a new account needs no name for that. */
  isTestable: boolean;
  /** A folder with the command that the search path lacks. */
  elsewhere: ProgramElsewhere | null;
  changed: boolean;
  /** Shows all faults from now on. */
  showAll(): void;
  /** The same, but for the name’s. */
  showFields(): void;
}

/** How long typing must pause before the broker checks. */
const restMilliseconds = 250;

/** An account as it is typed. The page checks it immediately, the broker when typing pauses. */
export function useDraft(
  kind: Kind,
  before: { name: string; fields: AccountDraft['set']; hidden: readonly string[] } | null,
): DraftForm {
  const base = useMemo(() => before ?? { name: '', fields: {}, hidden: [] }, [before]);
  const [name, setName] = useState(base.name);
  // By kind: switching the kind and back restores what was typed.
  const [typed, setTyped] = useState<Partial<Record<Kind, FormValues>>>({});
  const values = useMemo(() => typed[kind] ?? formOf(kind, base.fields), [typed, kind, base]);
  const [touched, setTouched] = useState<ReadonlySet<string> | 'all'>(new Set());
  const draft = useMemo<AccountDraft>(
    () => ({ name, isNew: before === null, kind, ...changesOf(kind, values, base) }),
    [name, before, kind, values, base],
  );
  const rested = useRested(useDeferredValue(draft));
  const byBroker = useCall('account.check', rested);
  const byPage = pageProblems(draft);
  // Ignores the broker's check of an earlier text.
  const said = rested === draft ? (byBroker.value?.problems ?? []) : [];
  const touch = (...keys: string[]) =>
    setTouched((before) => (before === 'all' ? before : new Set([...before, ...keys])));
  const errors = [...byPage, ...said].filter(({ severity }) => severity === 'error');
  return {
    draft,
    values,
    setName(next) {
      setName(next);
      touch('name');
    },
    set(key, value) {
      setTyped((all) => ({
        ...all,
        [kind]: { ...(all[kind] ?? formOf(kind, base.fields)), [key]: value },
      }));
      touch(key);
    },
    error: (field) => (touched === 'all' || touched.has(field) ? errorOf(field, byPage, said) : null),
    general: said.filter(({ field }) => field === null).map(({ message }) => message),
    good: errors.length === 0,
    isTestable: errors.every(({ field }) => field === 'name'),
    elsewhere: rested === draft ? (byBroker.value?.elsewhere ?? null) : null,
    changed: before === null || Object.keys(draft.set).length > 0 || draft.unset.length > 0,
    showAll: () => setTouched('all'),
    showFields: () => touch(...fieldsOf[kind].map(({ key }) => key)),
  };
}

/** The value after it has been the same for a while. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
