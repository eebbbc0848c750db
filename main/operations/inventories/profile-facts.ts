import { ignoredText } from '../../domain/inventory/profile-variables.ts';
import { authorityTexts } from '../../domain/server/authority-text.ts';
import { shownName } from '../../domain/text/shown-name.ts';
import type { ProfileRow } from './profile-rows.ts';

/** What a profile resolves to, for display: one line of it. */
export interface ProfileFact {
  label: string;
  value: string;
  /** Why it deserves a second look, in words that follow it; null: it doesn’t. */
  warning: string | null;
}

/** Empty: it can’t be used. Texts of the hub are bounded, and free of control characters. */
export function profileFacts({ resolution }: Pick<ProfileRow, 'resolution'>): ProfileFact[] {
  if (!resolution.ok) {
    return [];
  }
  const { config, certificateAuthorityPem, rewrittenFrom, isExpectedServer } = resolution;
  const fact = (label: string, value: string | null | undefined, warning: string | null = null) =>
    value === null || value === undefined || value === '' ? [] : [{ label, value, warning }];
  return [
    ...fact('Account', config.account),
    ...fact('Server', config.server, isExpectedServer ? null : 'not among the servers of the inventory'),
    ...fact('Published as', rewrittenFrom),
    ...authorityTexts(certificateAuthorityPem).flatMap((text) => fact('CA', text)),
    ...fact('TLS name', config.tlsServerName),
    ...fact(
      'TLS',
      config.insecureSkipTlsVerify ? 'not verified' : null,
      'anyone on the way can read the credential',
    ),
    ...fact('Proxy', config.proxyUrl),
    ...fact('Audience', config.audience),
    ...fact('Arguments', config.additionalArgs?.map((each) => shownName(each)).join(' ')),
    ...(config.additionalEnv ?? []).flatMap(({ name, value }) =>
      fact('Variable', `${name}=${shownName(value)}`),
    ),
  ];
}

/** What a policy ignored of it, and why; a text each. */
export function ignoredTexts({ resolution }: Pick<ProfileRow, 'resolution'>): string[] {
  return resolution.ok ? resolution.ignored.map(ignoredText) : [];
}
