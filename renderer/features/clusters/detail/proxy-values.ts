import { proxy as proxySchema } from '../../../../main/contract/config/proxy.ts';
import type { ConfigEntry } from '../../../../main/contract/ui/calls/entries.ts';
import { textOf } from '../../entries/approval-policy.ts';

/** A step of the request proxy as the form shows it. `kept`: its entry, whose other keys stay. */
export interface StepValues {
  /** Names the row while the form is open. */
  id: number;
  kind: 'set' | 'add' | 'remove' | 'impersonate' | 'sign';
  header: string;
  /** Where the header’s value is from. */
  source: 'value' | 'account';
  value: string;
  account: string;
  scheme: string;
  audience: string;
  user: string;
  /** One on each line. */
  groups: string;
  /** Of an AWS signature; empty: a program signs. */
  service: string;
  region: string;
  /** Whether the body is signed; empty: as the service takes it. */
  payload: string;
  /** The program sees the request’s credentials, too. */
  credentials: boolean;
  kept: ConfigEntry;
}

export interface ProxyValues {
  isOn: boolean;
  steps: readonly StepValues[];
}

const kinds = ['set', 'add', 'remove', 'impersonate', 'sign'] as const;

let lastId = 0;

/** A step of config.yaml as the form’s; `{}`: a new one. */
export function stepOf(kept: ConfigEntry): StepValues {
  const kind = kinds.find((each) => kept[each] !== undefined) ?? 'set';
  const { user, groups } = impersonationIn(kept);
  lastId += 1;
  return {
    id: lastId,
    kind,
    header: kind === 'impersonate' || kind === 'sign' ? '' : textOf(kept[kind]),
    source: kept['account'] === undefined ? 'value' : 'account',
    value: textOf(kept['value']),
    account: textOf(kept[kind === 'sign' ? 'sign' : 'account']),
    scheme: textOf(kept['scheme']),
    audience: textOf(kept['audience']),
    user: textOf(user),
    groups: Array.isArray(groups) ? groups.map(String).join('\n') : '',
    service: textOf(kept['service']),
    region: textOf(kept['region']),
    payload: textOf(kept['payload']),
    credentials: kept['credentials'] === true,
    kept,
  };
}

/** The keys of an impersonation that the form doesn’t show. */
export function moreOf({ kind, kept }: StepValues): string[] {
  return kind === 'impersonate'
    ? Object.keys(impersonationIn(kept)).filter((key) => key !== 'user' && key !== 'groups')
    : [];
}

/** The part `proxy` of a cluster’s entry; undefined: it has none. */
export function proxyOf(part: unknown): ProxyValues {
  const chain = isRecord(part) ? part['chain'] : undefined;
  return {
    isOn: part !== undefined,
    steps: Array.isArray(chain) ? chain.map((step) => stepOf(isRecord(step) ? step : {})) : [],
  };
}

/** The part as typed; undefined: none. Keys that the form doesn’t show stay. */
export function typedProxy({ isOn, steps }: ProxyValues, before: unknown): ConfigEntry | undefined {
  if (!isOn) {
    return undefined;
  }
  const { chain, ...rest } = isRecord(before) ? before : {};
  return steps.length === 0 && chain === undefined ? rest : { ...rest, chain: steps.map(typedStep) };
}

function typedStep({ kind, kept, ...typed }: StepValues): ConfigEntry {
  const header = typed.header.trim();
  switch (kind) {
    case 'remove':
      return { remove: header };
    case 'impersonate': {
      const { groups: had, ...more } = impersonationIn(kept);
      const groups = typed.groups.split('\n').filter((line) => line !== '');
      const isSaid = groups.length > 0 || had !== undefined;
      return { impersonate: { ...more, user: typed.user, ...(isSaid && { groups }) } };
    }
    case 'sign': {
      const [service, region] = [typed.service.trim(), typed.region.trim()];
      return {
        sign: typed.account,
        ...(service !== '' && { service }),
        ...(region !== '' && { region }),
        ...(typed.payload !== '' && { payload: typed.payload }),
        ...((typed.credentials || kept['credentials'] !== undefined) && { credentials: typed.credentials }),
      };
    }
    case 'set':
    case 'add': {
      const [scheme, audience] = [typed.scheme.trim(), typed.audience.trim()];
      return typed.source === 'value'
        ? { [kind]: header, value: typed.value }
        : {
            [kind]: header,
            account: typed.account,
            ...(scheme !== '' && { scheme }),
            ...(audience !== '' && { audience }),
          };
    }
  }
}

/** The first fault, as the broker says it: `chain.0.value: …`; null: none. */
export function proxyFault({ isOn, steps }: ProxyValues, next: unknown): string | null {
  if (!isOn) {
    return null;
  }
  for (const [at, { kind, header, source, account, user }] of steps.entries()) {
    if (kind === 'sign') {
      if (account === '') {
        return `chain.${at}.sign: choose the account that signs`;
      }
      continue;
    }
    if (kind === 'impersonate' ? user === '' : header.trim() === '') {
      const [field, what] = kind === 'impersonate' ? ['impersonate', 'user'] : [kind, 'header'];
      return `chain.${at}.${field}: name the ${what}`;
    }
    if ((kind === 'set' || kind === 'add') && source === 'account' && account === '') {
      return `chain.${at}.account: choose an account`;
    }
  }
  const [issue] = proxySchema.safeParse(next).error?.issues ?? [];
  return issue ? [issue.path.join('.'), issue.message].filter((each) => each !== '').join(': ') : null;
}

/** Where a fault belongs: its step, and the step’s key; `at` null: the whole part. */
export function placeOfFault(fault: string): { at: number | null; key: string; message: string } {
  const [, at, key = '', message = ''] = /^chain\.(\d+)(?:\.([^:\s]+))?: ([\s\S]*)$/.exec(fault) ?? [];
  return at === undefined
    ? { at: null, key: '', message: fault }
    : { at: Number(at), key: key.split('.')[0] ?? '', message };
}

function impersonationIn(step: ConfigEntry): ConfigEntry {
  const part = step['impersonate'];
  return isRecord(part) ? part : {};
}

function isRecord(value: unknown): value is ConfigEntry {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
