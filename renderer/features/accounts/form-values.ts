import type { AccountDraft } from '../../../main/contract/ui/calls/accounts.ts';
import type { Kind } from './account-words.ts';
import { defaultOf, type FieldSpec, fieldsOf } from './fields.ts';
import { isSame } from './same.ts';

type Json = AccountDraft['set'][string];
type Fields = AccountDraft['set'];

/** What stands in a form: texts as they are typed, and flags. */
export type FormValues = Readonly<Record<string, string | boolean>>;

/** What a form shows of an account's keys. */
export function formOf(kind: Kind, fields: Fields): FormValues {
  return Object.fromEntries(
    fieldsOf[kind].map((spec) => {
      const value = Object.hasOwn(fields, spec.key) ? fields[spec.key] : undefined;
      return [spec.key, shown(kind, spec, value)];
    }),
  );
}

function shown(kind: Kind, { key, shape }: FieldSpec, value: Json | undefined): string | boolean {
  if (shape === 'flag') {
    return Boolean(value ?? defaultOf(kind, key));
  }
  if (typeof shape === 'object') {
    return String(value ?? defaultOf(kind, key) ?? shape.options[0]?.value ?? '');
  }
  if (value === undefined || value === null) {
    return '';
  }
  if (shape === 'pairs') {
    return Object.entries(value as object)
      .map(([name, each]) => `${name}=${each}`)
      .join('\n');
  }
  if (shape === 'variables') {
    const variables = Array.isArray(value) ? (value as { name?: string; value?: string }[]) : [];
    return variables
      .map((each) => (each.value === undefined ? each.name : `${each.name}=${each.value}`))
      .join('\n');
  }
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** What a form says of one key; undefined: nothing, so that the default counts. */
function typed(kind: Kind, { key, shape }: FieldSpec, value: string | boolean): Json | undefined {
  if (typeof value === 'boolean') {
    return value === defaultOf(kind, key) ? undefined : value;
  }
  if (typeof shape === 'object') {
    return value === defaultOf(kind, key) ? undefined : value;
  }
  if (shape === 'text' || shape === 'number' || shape === 'flag') {
    const text = value.trim();
    return text === '' ? undefined : shape === 'number' ? numberOf(text) : text;
  }
  // An argument may be empty, or begin with a blank: its line is taken as it is.
  const isArguments = key === 'args';
  const lines = isArguments
    ? value.replace(/\n$/, '').split('\n')
    : value
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
  if (value.trim() === '') {
    return undefined;
  }
  switch (shape) {
    case 'numbers':
      return lines.map(numberOf);
    case 'pairs':
      return Object.fromEntries(lines.map(pair));
    case 'variables':
      return lines.map((line) => {
        const [name, rest] = pair(line);
        return line.includes('=') ? { name, value: rest } : { name };
      });
    default:
      return lines;
  }
}

/** What is no number stays what it is, so that it is said what is wrong with it. */
function numberOf(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function pair(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

/**
 * What a form changes of the keys that config.yaml has. What was not touched is in neither: it stays as it is written,
 * as does what no form shows (`hidden`).
 */
export function changesOf(
  kind: Kind,
  form: FormValues,
  before: { fields: Fields; hidden: readonly string[] },
): Pick<AccountDraft, 'set' | 'unset'> {
  const was = formOf(kind, before.fields);
  const set: Fields = {};
  const unset: string[] = [];
  for (const spec of fieldsOf[kind]) {
    const { key } = spec;
    const value = form[key];
    const isWritten = Object.hasOwn(before.fields, key);
    const isTouched = value !== was[key];
    // An account that is new says what its kind demands, untouched or not.
    const isDemanded = !isWritten && demanded[kind].includes(key);
    if (before.hidden.includes(key) || value === undefined || !(isTouched || isDemanded)) {
      continue;
    }
    const next = typed(kind, spec, value);
    if (next === undefined && !isDemanded) {
      if (isWritten) {
        unset.push(key);
      }
    } else if (!isSame(next, before.fields[key])) {
      set[key] = next ?? (value as Json);
    }
  }
  return { set, unset };
}

/** Keys without a default that a form always has a value for. */
const demanded: Readonly<Record<Kind, readonly string[]>> = {
  oidc: ['issuer', 'clientId'],
  staticToken: [],
  clientCertificate: [],
  execPlugin: ['command', 'apiVersion', 'interactiveMode'],
};
