import { type ChainStepConfig, type ProxyConfig, payloadOf } from '../../contract/config/proxy.ts';

/** Where a header’s value comes from. `scheme`: the word before the token; null: the token alone. */
export type HeaderSource =
  | { value: string }
  | { account: string; scheme: string | null; audience: string | null };

/** A step of a cluster’s chain (docs/adr/0030). */
export type ChainStep =
  | { kind: 'set' | 'add'; header: string; from: HeaderSource }
  | { kind: 'remove'; header: string }
  | {
      kind: 'impersonate';
      user: string;
      uid: string | null;
      groups: readonly string[];
      extra: Readonly<Record<string, readonly string[]>>;
    }
  | SignStep;

/** The request is signed with AWS keys of the account, for `scope`; or by its program (scope null). */
export interface SignStep {
  kind: 'sign';
  account: string;
  scope: { service: string; region: string } | null;
  payload: 'hashed' | 'unsigned';
  /** The program sees the request’s credentials, too. */
  credentials: boolean;
}

/** The chain of config.yaml, step by step. */
export function chainSteps({ chain }: ProxyConfig): ChainStep[] {
  return chain.map(chainStep);
}

/** The accounts whose credentials the chain sends or signs with, beside the cluster’s own. */
export function accountsOfChain(proxy: ProxyConfig | undefined): string[] {
  const named = (proxy?.chain ?? []).flatMap(({ account, sign }) => account ?? sign ?? []);
  return [...new Set(named)];
}

/**
 * A step as one line: for the user, and for what was approved. No two steps have the same: a header’s name has neither
 * space nor colon.
 */
export function stepText(step: ChainStep): string {
  switch (step.kind) {
    case 'remove':
      return `remove ${step.header}`;
    case 'impersonate': {
      const { user, uid, groups, extra } = step;
      return `impersonate ${JSON.stringify({ user, ...(uid !== null && { uid }), ...(groups.length > 0 && { groups }), ...(Object.keys(extra).length > 0 && { extra }) })}`;
    }
    case 'sign': {
      const { account, scope, payload, credentials } = step;
      return `sign from ${account}${scope === null ? '' : ` as ${scope.service} in ${scope.region}`}, body ${payload}${credentials ? ', with credentials' : ''}`;
    }
    case 'set':
    case 'add': {
      const { kind, header, from } = step;
      if ('value' in from) {
        return `${kind} ${header}: ${from.value}`;
      }
      const { account, scheme, audience } = from;
      const how = [
        ...(scheme === null ? [] : [` as ${scheme}`]),
        ...(audience === null ? [] : [` for ${audience}`]),
      ];
      return `${kind} ${header} from ${account}${how.join('')}`;
    }
  }
}

function chainStep(step: ChainStepConfig): ChainStep {
  if (step.impersonate !== undefined) {
    const { user, uid = null, groups, extra } = step.impersonate;
    return { kind: 'impersonate', user, uid, groups, extra };
  }
  if (step.remove !== undefined) {
    return { kind: 'remove', header: step.remove };
  }
  if (step.sign !== undefined) {
    const { sign: account, service, region, credentials = false } = step;
    const scope = service === undefined || region === undefined ? null : { service, region };
    return { kind: 'sign', account, scope, payload: payloadOf(step), credentials };
  }
  const kind = step.set === undefined ? 'add' : 'set';
  // The schema demands one of the two.
  const header = step.set ?? step.add ?? '';
  return { kind, header, from: sourceOf(header, step) };
}

function sourceOf(header: string, { value, account, scheme, audience }: ChainStepConfig): HeaderSource {
  return account === undefined
    ? { value: value ?? '' }
    : { account, scheme: schemeFor(header, scheme), audience: audience ?? null };
}

/** RFC 9110, section 11.6.2: the credential of these two begins with its scheme. */
function schemeFor(header: string, stated: string | undefined): string | null {
  const usual = /^(proxy-)?authorization$/i.test(header) ? 'Bearer' : 'none';
  const scheme = stated ?? usual;
  return scheme === 'none' ? null : scheme;
}
