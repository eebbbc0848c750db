import { loaderFault, mayReachPlugin } from '../contract/loader-variables.ts';
import { contextNameVariables } from '../domain/inventory/context-names.ts';
import { parseLabelSelector } from '../domain/inventory/label-selector.ts';
import { audienceVariables } from '../domain/inventory/resolve-profile.ts';
import { parseServerPattern } from '../domain/inventory/server-pattern.ts';
import { parseServerRewrite } from '../domain/inventory/server-rewrite.ts';
import { templateFault } from '../domain/inventory/template.ts';
import { additionFault } from './account-fit.ts';
import { isMapping } from './is-mapping.ts';
import { stepText } from './step-text.ts';
import type { Path } from './yaml-text.ts';

export interface EntryFault {
  severity: 'error' | 'warning';
  /** Below the entry. */
  path: Path;
  text: string;
}

/** What the form of an inventory can’t say alone; the accounts of its providers are checked elsewhere. `raw`: as it is written. */
export function inventoryFaults(raw: unknown, accounts: Readonly<Record<string, unknown>>): EntryFault[] {
  return isMapping(raw)
    ? [
        ...sourceFaults(raw),
        ...providerFaults(list(raw['providers']), accounts),
        ...patternFaults(raw['servers'], ['servers']),
        ...rewriteFaults(list(raw['serverRewrites'])),
        ...templateFaults(raw['contextName'], ['contextName'], contextNameVariables),
        ...selectorFaults(raw, 'labelSelector'),
        ...selectorFaults(raw, 'select'),
      ]
    : [];
}

/** It has a hub or files, and what concerns a hub stands beside one. */
function sourceFaults(raw: Record<string, unknown>): EntryFault[] {
  if (raw['cluster'] === undefined && raw['files'] === undefined) {
    return [error([], 'expected `cluster`, the hub, or `files`')];
  }
  if (raw['files'] === undefined) {
    return [];
  }
  return [
    ...(raw['cluster'] === undefined
      ? []
      : [error(['files'], 'there is a hub already (cluster); make an inventory of each')]),
    ...['namespaces', 'labelSelector']
      .filter((key) => raw['cluster'] === undefined && raw[key] !== undefined)
      .map((key) => error([key], 'is what a hub is asked for, and files are read whole; leave it out')),
  ];
}

function providerFaults(
  providers: readonly unknown[],
  accounts: Readonly<Record<string, unknown>>,
): EntryFault[] {
  const firsts = new Set<unknown>();
  return providers.flatMap((provider, index) => {
    if (!isMapping(provider)) {
      return [];
    }
    const { name, audience, servers } = provider;
    const path = ['providers', index];
    const isSecond = typeof name === 'string' && firsts.has(name);
    firsts.add(name);
    return [
      ...(isSecond
        ? [error([...path, 'name'], `there is a provider ${stepText(name)} already, and the first counts`)]
        : []),
      ...templateFaults(audience, [...path, 'audience'], audienceVariables),
      ...patternFaults(servers, [...path, 'servers']),
      ...policyFaults(provider, path, accounts),
    ];
  });
}

/** What a profile may add reaches an exec plugin alone, and no variable without its name. */
function policyFaults(
  provider: Record<string, unknown>,
  path: Path,
  accounts: Readonly<Record<string, unknown>>,
): EntryFault[] {
  const { account: name, allowedEnvVars } = provider;
  const account = typeof name === 'string' && Object.hasOwn(accounts, name) ? accounts[name] : undefined;
  const unfit = additionFault(stepText(String(name)), account);
  const isOn = (key: string) => ['Append', 'AppendIfNotExists', 'Replace'].includes(String(provider[key]));
  const on = ['profileSourcedCLIArgsPolicy', 'profileSourcedEnvVarsPolicy'].filter(isOn);
  const allowed = list(allowedEnvVars);
  return [
    ...(unfit === null ? [] : on.map((key) => error([...path, key], unfit))),
    ...allowed.flatMap((variable, index) =>
      typeof variable === 'string' && !mayReachPlugin(variable)
        ? [error([...path, 'allowedEnvVars', index], loaderFault)]
        : [],
    ),
    ...(isOn('profileSourcedEnvVarsPolicy') === allowed.length > 0
      ? []
      : [
          allowed.length > 0
            ? warning(
                [...path, 'allowedEnvVars'],
                'has no effect while profileSourcedEnvVarsPolicy is Ignore',
              )
            : warning(
                [...path, 'profileSourcedEnvVarsPolicy'],
                'lets nothing through: allowedEnvVars names no variable',
              ),
        ]),
  ];
}

function patternFaults(patterns: unknown, path: Path): EntryFault[] {
  return list(patterns).flatMap((text, index) => {
    const parsed = typeof text === 'string' ? parseServerPattern(text) : null;
    return parsed === null || parsed.ok ? [] : [error([...path, index], parsed.fault)];
  });
}

function rewriteFaults(rewrites: readonly unknown[]): EntryFault[] {
  return rewrites.flatMap((rewrite, index) => {
    const { from, to } = isMapping(rewrite) ? rewrite : {};
    const parsed =
      typeof from === 'string' && typeof to === 'string' ? parseServerRewrite({ from, to }) : null;
    return parsed === null || parsed.ok ? [] : [error(['serverRewrites', index, parsed.key], parsed.fault)];
  });
}

function templateFaults(text: unknown, path: Path, variables: readonly string[]): EntryFault[] {
  const fault = typeof text === 'string' ? templateFault(text, variables) : null;
  return fault === null ? [] : [error(path, fault)];
}

function selectorFaults(raw: Record<string, unknown>, key: string): EntryFault[] {
  const text = raw[key];
  const parsed = typeof text === 'string' ? parseLabelSelector(text) : null;
  return parsed === null || parsed.ok ? [] : [error([key], parsed.fault)];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function error(path: Path, text: string): EntryFault {
  return { severity: 'error', path, text };
}

function warning(path: Path, text: string): EntryFault {
  return { severity: 'warning', path, text };
}
