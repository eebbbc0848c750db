import type { AccountDraft } from '../../../main/contract/ui/calls/accounts.ts';
import type { Kind } from './account-words.ts';
import { defaultOf, type FieldSpec, fieldsOf } from './fields.ts';
import { isSame } from './same.ts';

type Json = AccountDraft['set'][string];
type Fields = AccountDraft['set'];

/** The content of a form: texts as they are typed, and flags. */
export type FormValues = Readonly<Record<string, string | boolean>>;

/** The form's values for an account's keys. */
export function formOf(kind: Kind, fields: Fields): FormValues {
  return Object.fromEntries(
    fieldsOf[kind].map((spec) => {
      return [spec.key, shown(kind, spec, valueAt(fields, spec.key))];
    }),
  );
}

/** The value of a key, or of one in a part: `PART.KEY`. */
function valueAt(fields: Fields, key: string): Json | undefined {
  const [part = '', inPart] = key.split('.');
  const value = Object.hasOwn(fields, part) ? fields[part] : undefined;
  if (inPart === undefined || value === undefined) {
    return value;
  }
  const keys = value as Readonly<Record<string, Json>>;
  return Object.hasOwn(keys, inPart) ? keys[inPart] : undefined;
}

function shown(kind: Kind, { key, shape }: FieldSpec, value: Json | undefined): string | boolean {
  if (shape === 'flag') {
    return Boolean(value ?? defaultOf(kind, key));
  }
  if (typeof shape === 'object' && 'accounts' in shape) {
    return String(value ?? '');
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

/** The value of one key in the form. Undefined: none, so the default applies. */
function typed(kind: Kind, { key, shape }: FieldSpec, value: string | boolean): Json | undefined {
  if (typeof value === 'boolean') {
    return value === defaultOf(kind, key) ? undefined : value;
  }
  if (typeof shape === 'object' && 'accounts' in shape) {
    return value === '' ? undefined : value;
  }
  if (typeof shape === 'object') {
    return value === defaultOf(kind, key) ? undefined : value;
  }
  if (shape === 'text' || shape === 'number' || shape === 'flag') {
    const text = value.trim();
    return text === '' ? undefined : shape === 'number' ? numberOf(text) : text;
  }
  // An argument may be empty or begin with a blank, so its line isn't trimmed.
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

/** Keeps text that is no number, so that the check can report it. */
function numberOf(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function pair(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

/**
 * The changes of a form to the keys in config.yaml. Leaves out fields that were not touched, and keys that no form
 * shows (`hidden`): they stay as they are.
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
    if (key.includes('.')) {
      continue;
    }
    const isWritten = Object.hasOwn(before.fields, key);
    const isTouched = value !== was[key];
    // A new account sets the keys that its kind requires, even if they were not touched.
    const isDemanded = !isWritten && demanded[kind].includes(key);
    if (before.hidden.includes(key) || value === undefined || !(isTouched || isDemanded)) {
      continue;
    }
    const next = typed(kind, spec, value);
    if (next === undefined && !isDemanded) {
      if (isWritten) {
        unset.push(key);
      }
    } else if (isDemanded || !isSame(next, before.fields[key])) {
      set[key] = next ?? (value as Json);
    }
  }
  for (const part of partsOf(kind)) {
    const next = typedPart(kind, part, form, before.fields[part]);
    if (before.hidden.includes(part) || isSame(next, before.fields[part])) {
      continue;
    }
    if (next === undefined) {
      unset.push(part);
    } else {
      set[part] = next;
    }
  }
  return { set, unset };
}

/** The keys whose value is a part, with fields of its own. */
function partsOf(kind: Kind): string[] {
  const parts = fieldsOf[kind].flatMap(({ key }) => (key.includes('.') ? [key.split('.')[0] ?? ''] : []));
  return [...new Set(parts)];
}

/** A part as typed; undefined: nothing of it is. Its keys that no form shows stay. */
function typedPart(kind: Kind, part: string, form: FormValues, before: Json | undefined): Json | undefined {
  const keys: Record<string, Json> = { ...(before as Record<string, Json> | undefined) };
  for (const spec of fieldsOf[kind].filter(({ key }) => key.startsWith(`${part}.`))) {
    const key = spec.key.slice(part.length + 1);
    const value = typed(kind, spec, form[spec.key] ?? '');
    if (value === undefined) {
      delete keys[key];
    } else {
      keys[key] = value;
    }
  }
  return Object.keys(keys).length === 0 ? undefined : (keys as Json);
}

/** Keys without a default that a form always has a value for. */
const demanded: Readonly<Record<Kind, readonly string[]>> = {
  oidc: ['issuer', 'clientId'],
  staticToken: [],
  clientCertificate: [],
  registry: [],
  credentialProvider: ['command', 'apiVersion'],
  credentialHelper: ['helper'],
  secretReader: ['cluster', 'namespace'],
  kubeconfigSecretReader: ['cluster', 'namespace'],
  aws: [],
  awsProcess: ['command'],
  awsEks: ['account', 'cluster', 'region'],
  requestSigner: ['command'],
  pkcs11: ['module'],
  execPlugin: ['command', 'apiVersion', 'interactiveMode'],
};
