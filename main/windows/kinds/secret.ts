import { Secret } from '../../base/secret.ts';
import { BrokerError, refusalError } from '../../contract/broker-error.ts';
import { unknownName } from '../../domain/unknown-name.ts';
import { hasManyLines, type KeepSecretDeps, keepSecret, nonEmpty } from '../../operations/keep-secret.ts';
import { partOf } from '../../operations/secret-target.ts';
import type { Gate } from '../../ports/broker-core.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import { sentence } from '../window-flow.ts';
import type { WindowKind } from '../window-kind.ts';

export interface SecretWindowDeps extends KeepSecretDeps {
  config: Pick<ConfigStore, 'current'>;
  gate: Gate;
}

/** `lanyard secret set ACCOUNT/PART`, by its rules. `named` empty: the part that the account means without a name. */
export function secretWindow(deps: SecretWindowDeps, account: string, named: string): WindowKind {
  const locked = deps.gate();
  if (locked) {
    // A locked vault must not swallow what was typed.
    throw refusalError(locked);
  }
  const { accounts, clusters } = deps.config.current();
  const loaded = accounts.get(account);
  if (!loaded) {
    throw unknownName('account', account, accounts.keys());
  }
  const part = partOf(loaded, named === '' ? null : named);
  const shown = JSON.stringify(loaded.config);
  const what = part ?? 'certificate and key';
  const isLong = part === null || hasManyLines(part);
  const used = [...clusters.values()].filter(({ config }) => config.account === account);
  return {
    title: 'Give a secret',
    content: {
      heading: `The ${what} of ${account}`,
      text: ['It goes into Lanyard’s vault, and takes the place of one that is there.'],
      rows: [
        ['account', account],
        ['used for', used.map(({ name }) => name).join(', ') || 'no cluster yet'],
      ],
      fields: [
        {
          name: 'secret',
          label: sentence(what).slice(0, -1),
          kind: isLong ? 'lines' : 'password',
          ...(isLong && { hint: 'PEM, whole, with its first and last line. It is seen while it is pasted.' }),
          autocomplete: 'new-password',
        },
      ],
      ...(!isLong && { enter: 'yes' as const }),
      yes: 'Keep',
    },
    async over() {
      if (deps.gate()) {
        return 'Lanyard was locked meanwhile.';
      }
      const now = deps.config.current().accounts.get(account);
      return now && JSON.stringify(now.config) === shown
        ? null
        : `The account ${account} was changed meanwhile.`;
    },
    async submit({ secret }) {
      try {
        // A form's lines end with CR LF, whatever was pasted.
        const value = nonEmpty(new Secret((secret?.reveal() ?? '').replaceAll('\r\n', '\n')));
        const { text, hint } = await keepSecret(deps, { account, part }, value);
        const more = hint === null ? [] : [sentence(hint)];
        return { kind: 'done', good: true, heading: 'Kept', text: [text, ...more] };
      } catch (error) {
        if (error instanceof BrokerError && error.reason === 'usage') {
          return { kind: 'again', fault: sentence(error.message) };
        }
        throw error;
      }
    },
    refuse: async () => ({
      kind: 'done',
      good: false,
      heading: 'Nothing was kept',
      text: ['Nothing was changed.'],
    }),
  };
}
