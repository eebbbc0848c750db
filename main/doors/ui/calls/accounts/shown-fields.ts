import { accountKinds } from '../../../../contract/config/accounts/account.ts';
import type { AccountDetails } from '../../../../contract/ui/calls/accounts.ts';
import {
  isSecretInVariable,
  secretInJson,
  secretsInArguments,
} from '../../../../domain/import/exec-secrets.ts';

type Kind = AccountDetails['kind'];

/** Too large to edit by hand. */
const large = ['certificateAuthorityData'];

/**
 * The keys of an account that a page gets. config.yaml should have no secrets; where the user wrote one anyway, the
 * page gets the key’s name alone.
 */
export function shownFields(
  kind: Kind,
  written: Record<string, unknown>,
): Pick<AccountDetails, 'fields' | 'hidden'> {
  const known = Object.keys(accountKinds[kind].shape);
  const fields: Record<string, unknown> = {};
  const hidden: string[] = [];
  for (const key of known.filter((key) => Object.hasOwn(written, key))) {
    if (large.includes(key) || holdsSecret(key, written[key])) {
      hidden.push(key);
    } else {
      fields[key] = written[key];
    }
  }
  return { fields: fields as AccountDetails['fields'], hidden };
}

function holdsSecret(key: string, value: unknown): boolean {
  if (key === 'args' || key === 'browser') {
    return secretsInArguments(list(value).map(String)).length > 0;
  }
  if (key === 'env') {
    return list(value).some((each) => {
      const { name, value } = (each ?? {}) as { name?: unknown; value?: unknown };
      return typeof name === 'string' && typeof value === 'string' && isSecretInVariable(name, value);
    });
  }
  return (key === 'extraHeaders' || key === 'extraParams') && secretInJson(value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
