import { cluster as clusterSchema } from '../../../../main/contract/config/config.ts';
import type { ClusterEntry, EntryProblem } from '../../../../main/contract/ui/calls/cluster-editing.ts';
import { pastedAuthority, pemOf } from './authority.ts';

/** The fields that are typed or chosen, as text. Empty if the entry doesn't set them. */
export interface EntryForm {
  server: string;
  /** Who signs the server's certificate. */
  authority: 'system' | 'file' | 'data';
  certificateAuthority: string;
  /** As it is typed or pasted: PEM, or base64 of it. */
  certificateAuthorityData: string;
  tlsServerName: string;
  proxyUrl: string;
  account: string;
  audience: string;
  /** `duration`: for as long as `approvalFor` says. */
  approval: 'never' | 'always' | 'perTerminal' | 'duration';
  approvalFor: string;
  withoutInfo: 'refuse' | 'allow';
  execCredential: 'ask' | 'allow' | 'refuse';
  insecureSkipTlsVerify: boolean;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const oneOf = <Value extends string>(value: unknown, all: readonly Value[], usual: Value): Value =>
  all.find((each) => each === value) ?? usual;

/** The form of an entry of config.yaml. Null: of a new one. */
export function formOf(entry: ClusterEntry | null): EntryForm {
  const { approval = 'never' } = entry ?? {};
  const isNamed = approval === 'never' || approval === 'always' || approval === 'perTerminal';
  return {
    server: text(entry?.['server']),
    authority:
      entry?.['certificateAuthority'] !== undefined
        ? 'file'
        : entry?.['certificateAuthorityData'] !== undefined
          ? 'data'
          : 'system',
    certificateAuthority: text(entry?.['certificateAuthority']),
    certificateAuthorityData: pemOf(entry?.['certificateAuthorityData']),
    tlsServerName: text(entry?.['tlsServerName']),
    proxyUrl: text(entry?.['proxyUrl']),
    account: text(entry?.['account']),
    audience: text(entry?.['audience']),
    approval: isNamed ? approval : 'duration',
    approvalFor: isNamed ? '15m' : text(approval),
    withoutInfo: oneOf(entry?.['withoutInfo'], ['refuse', 'allow'], 'refuse'),
    execCredential: oneOf(entry?.['execCredential'], ['ask', 'allow', 'refuse'], 'ask'),
    insecureSkipTlsVerify: entry?.['insecureSkipTlsVerify'] === true,
  };
}

/** The values that apply if the entry doesn't set them. */
const usual = {
  approval: 'never',
  withoutInfo: 'refuse',
  execCredential: 'ask',
  insecureSkipTlsVerify: false,
} as const;

/**
 * The entry of a form, based on the entry before. Keys that the form doesn't show stay. Defaults are written only
 * where they were written before.
 */
export function entryOf(form: EntryForm, before: ClusterEntry | null): ClusterEntry {
  const { approval, approvalFor, authority, ...rest } = form;
  const said: Record<string, string | boolean> = {
    ...rest,
    certificateAuthority: authority === 'file' ? form.certificateAuthority : '',
    certificateAuthorityData:
      authority === 'data' ? authorityData(form.certificateAuthorityData, before) : '',
    approval: approval === 'duration' ? approvalFor.trim() : approval,
  };
  const entry: ClusterEntry = { ...before };
  for (const [key, value] of Object.entries(said)) {
    const next = typeof value === 'string' ? value.trim() : value;
    const isUsual = Object.hasOwn(usual, key) && usual[key as keyof typeof usual] === next;
    if (next === '' || (isUsual && !Object.hasOwn(before ?? {}, key))) {
      delete entry[key];
    } else {
      entry[key] = next;
    }
  }
  return entry;
}

/** Keeps the text that was written, as long as it means the same. */
function authorityData(typed: string, before: ClusterEntry | null): string {
  const old = before?.['certificateAuthorityData'];
  if (typeof old === 'string' && typed === pemOf(old)) {
    return old;
  }
  const pasted = pastedAuthority(typed);
  return pasted.ok ? pasted.data : '';
}

/** The faults of what was typed that can't be found in the entry. */
export function typedFaultsOf(
  form: EntryForm,
  before: ClusterEntry | null,
): Readonly<Record<string, string>> {
  if (form.authority === 'file') {
    return form.certificateAuthority.trim() === '' ? { certificateAuthority: 'which file?' } : {};
  }
  if (form.authority === 'data' && form.certificateAuthorityData.trim() === '') {
    return { certificateAuthorityData: 'paste it here' };
  }
  if (form.authority === 'system' || authorityData(form.certificateAuthorityData, before) !== '') {
    return {};
  }
  const pasted = pastedAuthority(form.certificateAuthorityData);
  return pasted.ok ? {} : { certificateAuthorityData: pasted.fault };
}

/** The faults that the schema finds while the form is edited: the first of each field. */
export function faultsOf(entry: ClusterEntry): Readonly<Record<string, string>> {
  const parsed = clusterSchema.safeParse(entry);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(
        ({ path, message }): EntryProblem => ({
          field: path[0] === undefined ? null : String(path[0]),
          message,
          severity: 'error',
        }),
      );
  return byField(problems);
}

/** The first problem of each field. Problems of no field have the key ''. */
export function byField(problems: readonly EntryProblem[]): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const { field, message, severity } of problems) {
    if (severity === 'error' && !found.has(field ?? '')) {
      found.set(field ?? '', message);
    }
  }
  return Object.fromEntries(found);
}

/** The meaning of each policy, for users. */
export const approvalMeans: Readonly<Record<EntryForm['approval'], string>> = {
  never: 'Programs get its credential without a question. Each use is seen in the activity.',
  always: 'You are asked for each program, each time it asks.',
  perTerminal: 'You are asked once in each terminal; the answer counts until that terminal is closed.',
  duration: 'You are asked once; a yes then counts for every program of this machine for this long.',
};
