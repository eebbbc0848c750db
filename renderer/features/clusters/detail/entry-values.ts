import { cluster as clusterSchema } from '../../../../main/contract/config/cluster.ts';
import type { ConfigEntry } from '../../../../main/contract/ui/calls/entries.ts';
import { type ApprovalValues, approvalOf, policyText, textOf } from '../../entries/approval-policy.ts';
import { type EntryRules, type Faults, schemaFaults } from '../../entries/entry-rules.ts';
import { pastedAuthority, pemOf } from './authority.ts';
import {
  argumentLines,
  type PluginLines,
  typedArguments,
  typedVariables,
  variableLines,
} from './plugin-lines.ts';
import { type ProxyValues, proxyFault, proxyOf, typedProxy } from './proxy-values.ts';

/** The fields that are typed or chosen, as text. Empty if the entry doesn't set them. */
export interface EntryValues extends ApprovalValues, PluginLines {
  displayName: string;
  /** As `team=pay, env=prod`. */
  labels: string;
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
  withoutInfo: 'refuse' | 'allow';
  execCredential: 'ask' | 'allow' | 'refuse';
  insecureSkipTlsVerify: boolean;
  disableCompression: boolean;
  /** The request proxy. */
  proxy: ProxyValues;
}

const oneOf = <Value extends string>(value: unknown, all: readonly Value[], usual: Value): Value =>
  all.find((each) => each === value) ?? usual;

/** The form of an entry of config.yaml. Null: of a new one. */
export function valuesOf(entry: ConfigEntry | null): EntryValues {
  return {
    displayName: textOf(entry?.['displayName']),
    labels: labelsText(entry?.['labels']),
    server: textOf(entry?.['server']),
    authority:
      entry?.['certificateAuthority'] !== undefined
        ? 'file'
        : entry?.['certificateAuthorityData'] !== undefined
          ? 'data'
          : 'system',
    certificateAuthority: textOf(entry?.['certificateAuthority']),
    certificateAuthorityData: pemOf(entry?.['certificateAuthorityData']),
    tlsServerName: textOf(entry?.['tlsServerName']),
    proxyUrl: textOf(entry?.['proxyUrl']),
    account: textOf(entry?.['account']),
    audience: textOf(entry?.['audience']),
    ...approvalOf(entry),
    withoutInfo: oneOf(entry?.['withoutInfo'], ['refuse', 'allow'], 'refuse'),
    execCredential: oneOf(entry?.['execCredential'], ['ask', 'allow', 'refuse'], 'ask'),
    insecureSkipTlsVerify: entry?.['insecureSkipTlsVerify'] === true,
    disableCompression: entry?.['disableCompression'] === true,
    additionalArgs: argumentLines(entry?.['additionalArgs']),
    additionalEnv: variableLines(entry?.['additionalEnv']),
    proxy: proxyOf(entry?.['proxy']),
  };
}

/** The values that apply if the entry doesn't set them. */
const usual = {
  approval: 'never',
  withoutInfo: 'refuse',
  execCredential: 'ask',
  insecureSkipTlsVerify: false,
  disableCompression: false,
} as const;

/**
 * The entry of a form, based on the entry before. Keys that the form doesn't show stay. Defaults are written only
 * where they were written before.
 */
export function entryOf(form: EntryValues, before: ConfigEntry | null): ConfigEntry {
  const {
    approval: _,
    approvalFor: __,
    authority,
    additionalArgs,
    additionalEnv,
    proxy,
    labels,
    ...rest
  } = form;
  const said: Record<string, string | boolean> = {
    ...rest,
    certificateAuthority: authority === 'file' ? form.certificateAuthority : '',
    certificateAuthorityData:
      authority === 'data' ? authorityData(form.certificateAuthorityData, before) : '',
    approval: policyText(form),
  };
  const entry: ConfigEntry = { ...before };
  for (const [key, value] of Object.entries(said)) {
    const next = typeof value === 'string' ? value.trim() : value;
    const isUsual = Object.hasOwn(usual, key) && usual[key as keyof typeof usual] === next;
    if (next === '' || (isUsual && !Object.hasOwn(before ?? {}, key))) {
      delete entry[key];
    } else {
      entry[key] = next;
    }
  }
  const parts = {
    labels: typedLabels(labels),
    proxy: typedProxy(proxy, before?.['proxy']),
    additionalArgs: typedArguments(additionalArgs, before?.['additionalArgs']),
    additionalEnv: typedVariables(additionalEnv, before?.['additionalEnv']),
  };
  for (const [key, next] of Object.entries(parts)) {
    if (next === undefined) {
      delete entry[key];
    } else {
      entry[key] = next;
    }
  }
  return entry;
}

function labelsText(labels: unknown): string {
  return Object.entries(isRecord(labels) ? labels : {})
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

/** Undefined where there are none. What isn’t a label is one with an empty value, and the schema says what it thinks. */
function typedLabels(text: string): Record<string, string> | undefined {
  const pairs = text
    .split(/[,\s]+/)
    .filter(Boolean)
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Keeps the text that was written, as long as it means the same. */
function authorityData(typed: string, before: ConfigEntry | null): string {
  const old = before?.['certificateAuthorityData'];
  if (typeof old === 'string' && typed === pemOf(old)) {
    return old;
  }
  const pasted = pastedAuthority(typed);
  return pasted.ok ? pasted.data : '';
}

/** The faults of what was typed that can't be found in the entry. */
export function typedFaultsOf(form: EntryValues, before: ConfigEntry | null): Faults {
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

export const clusterRules: EntryRules<EntryValues> = {
  valuesOf,
  entryOf,
  faultsOf: (next, values, before) => {
    const { proxy: _, ...faults } = schemaFaults(clusterSchema, next);
    const proxy = proxyFault(values.proxy, next['proxy']);
    return { ...faults, ...typedFaultsOf(values, before), ...(proxy !== null && { proxy }) };
  },
};

/** The fields in “More settings” that can have a fault. */
const folded: readonly (keyof EntryValues)[] = [
  'tlsServerName',
  'proxyUrl',
  'displayName',
  'labels',
  'audience',
  'additionalArgs',
  'additionalEnv',
];

/** Whether “More settings” must be open: a fault inside is never hidden. */
export function hasFoldedFault(faults: Faults): boolean {
  return folded.some((key) => faults[key] !== undefined);
}
