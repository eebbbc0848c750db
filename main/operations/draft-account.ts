import { BrokerError } from '../contract/broker-error.ts';
import { accountKinds } from '../contract/config/accounts/account.ts';
import type { AccountDraft } from '../contract/ui/calls/accounts.ts';
import type { ConfigStore } from '../ports/config-store.ts';

type Fields = Record<string, unknown>;

/**
 * The value of a draft for config.yaml: what was typed over what is written there. Throws where it is another kind than
 * the account has, or where the kind has no such key.
 */
export async function draftValue(
  { name, isNew, kind, set, unset }: AccountDraft,
  config: Pick<ConfigStore, 'entry'>,
): Promise<Record<string, unknown>> {
  const known = Object.keys(accountKinds[kind].shape);
  const strange = [...Object.keys(set), ...unset].find((key) => !known.includes(key));
  if (strange !== undefined) {
    throw new BrokerError('account.key', 'the page named a key that this kind of account doesn’t have', {
      reason: 'usage',
      hint: 'reload the page',
    });
  }
  const before = isNew ? {} : writtenFields(await config.entry('accounts', name), kind, name);
  const kept = Object.entries(before).filter(([key]) => !unset.includes(key));
  return { [kind]: { ...Object.fromEntries(kept), ...set } };
}

/** The keys of an account as they are written. */
export function writtenFields(value: unknown, kind: string, name: string): Fields {
  const own = isFields(value) && Object.hasOwn(value, kind) ? value[kind] : undefined;
  if (!isFields(own)) {
    throw new BrokerError('account.gone', `${name} has changed in config.yaml meanwhile`, {
      reason: 'notFound',
      hint: 'check it again',
    });
  }
  return own;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
