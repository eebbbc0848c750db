import { isDeepStrictEqual } from 'node:util';
import type { Bindings } from '../../../../access/bindings.ts';
import type { AccountDraft } from '../../../../contract/ui/calls/accounts.ts';
import { draftValue, writtenFields } from '../../../../operations/draft-account.ts';
import type { ConfigStore } from '../../../../ports/config-store.ts';
import { shownFields } from './shown-fields.ts';

/** Who is asked, through whom, and who is believed to be them. */
const leading = ['issuer', 'proxyUrl', 'certificateAuthority', 'certificateAuthorityData'];

/**
 * The value of a draft for a test, which may ask others. A header that seems to hold a secret, and so was never shown to
 * the page, is sent along only to where the person confirmed that it goes: else a page could have it by a test with an
 * issuer, a proxy or a CA of its own.
 */
export async function testedValue(
  draft: AccountDraft,
  deps: { config: Pick<ConfigStore, 'entry'>; bindings: Pick<Bindings, 'pending'> },
): Promise<Record<string, unknown>> {
  const value = await draftValue(draft, deps.config);
  const { name, kind, isNew } = draft;
  if (isNew || kind !== 'oidc') {
    return value;
  }
  const before = writtenFields(await deps.config.entry('accounts', name), kind, name);
  const after = value[kind] as Record<string, unknown>;
  const leadsElsewhere =
    deps.bindings.pending('account', name) !== null ||
    leading.some((key) => !isDeepStrictEqual(before[key], after[key]));
  const isHidden = shownFields(kind, before).hidden.includes('extraHeaders');
  if (!leadsElsewhere || !isHidden || Object.hasOwn(draft.set, 'extraHeaders')) {
    return value;
  }
  const { extraHeaders: _kept, ...rest } = after;
  return { [kind]: rest };
}
