import { isDeepStrictEqual } from 'node:util';
import type { Bindings } from '../../../../access/bindings.ts';
import type { AccountDraft } from '../../../../contract/ui/calls/accounts.ts';
import { draftValue, writtenFields } from '../../../../operations/draft-account.ts';
import type { ConfigStore } from '../../../../ports/config-store.ts';
import { shownFields } from './shown-fields.ts';

/** Keys that choose the server, the way to it, or how it is verified. */
const leading = ['issuer', 'proxyUrl', 'certificateAuthority', 'certificateAuthorityData'];

/**
 * The value of a draft for a test, which may send requests. A header that seems to contain a secret was never shown to
 * the page. It is only sent where the approved settings send it: else a page could get it by a test with its own
 * issuer, proxy or CA.
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
