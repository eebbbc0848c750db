import { cluster as clusterSchema } from '../../../../main/contract/config/config.ts';
import type { ClusterEntry, EntryProblem } from '../../../../main/contract/ui/calls/cluster-editing.ts';
import { pastedAuthority, pemOf } from './authority.ts';

/** The fields that are typed or chosen, as text; what isn't said is empty. */
export interface EntryForm {
  server: string;
  /** By whom its certificate is signed. */
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

/** The form of an entry of config.yaml; null: of none yet. */
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

/** What counts where the entry doesn't say it. */
const usual = {
  approval: 'never',
  withoutInfo: 'refuse',
  execCredential: 'ask',
  insecureSkipTlsVerify: false,
} as const;

/**
 * The entry that a form says, over the one it was made of: keys that the form doesn't show stay, and what counts anyway
 * is written only where it was written before.
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

/** What was written stays as it was written, as long as it says the same. */
function authorityData(typed: string, before: ClusterEntry | null): string {
  const old = before?.['certificateAuthorityData'];
  if (typeof old === 'string' && typed === pemOf(old)) {
    return old;
  }
  const pasted = pastedAuthority(typed);
  return pasted.ok ? pasted.data : '';
}

/** What is wrong with what was typed, where the entry alone can't tell. */
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

/** What is wrong by the schema alone, while it is typed: a field's first fault. */
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

/** The first problem of each field; those of none are under ''. */
export function byField(problems: readonly EntryProblem[]): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const { field, message, severity } of problems) {
    if (severity === 'error' && !found.has(field ?? '')) {
      found.set(field ?? '', message);
    }
  }
  return Object.fromEntries(found);
}

/** What a policy means, in words. */
export const approvalMeans: Readonly<Record<EntryForm['approval'], string>> = {
  never: 'Programs get its credential without a question. Each use is seen in the activity.',
  always: 'You are asked for each program, each time it asks.',
  perTerminal: 'You are asked once in each terminal; the answer counts until that terminal is closed.',
  duration: 'You are asked once; a yes then counts for every program of this machine for this long.',
};
