import { Secret } from '../../../base/secret.ts';
import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import { sentence } from '../../../contract/ui/sentence.ts';
import { type Half, halfOf } from '../../../domain/credential/change-pair.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import {
  hasManyLines,
  type KeepSecretDeps,
  keepPair,
  keepSecret,
  nonEmpty,
} from '../../../operations/keep-secret.ts';
import { partOf } from '../../../operations/secret-target.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import type { Fields, WindowField, WindowKind } from '../window-kind.ts';
import { usersText } from './users-text.ts';

export interface SecretWindowDeps extends KeepSecretDeps {
  config: Pick<ConfigStore, 'current'>;
  gate: Gate;
}

/** `lanyard secret set ACCOUNT/PART`, by its rules. `named` empty: the account's default part. */
export function secretWindow(deps: SecretWindowDeps, account: string, named: string): WindowKind {
  const locked = deps.gate();
  if (locked) {
    // A locked vault must not lose what was typed.
    throw refusalError(locked);
  }
  const config = deps.config.current();
  const { accounts } = config;
  const loaded = accounts.get(account);
  if (!loaded) {
    throw unknownName('account', account, accounts.keys());
  }
  const part = partOf(loaded, named === '' ? null : named);
  const shown = JSON.stringify(loaded.config);
  // A half alone rarely fits the existing other one: both are entered here, whichever was asked for.
  const isPair = part === null || part === 'certificate' || part === 'key';
  const what = isPair ? 'certificate and key' : part;
  const isLong = isPair || hasManyLines(part);
  return {
    title: 'Enter secret',
    content: {
      heading: `The ${what} of ${account}`,
      text: isPair
        ? [
            'They go into Lanyard’s vault and replace the pair that is there.',
            'To replace one of them alone, leave the other empty.',
          ]
        : ['Stored in the vault. Replaces the current value, if there is one.'],
      rows: [
        ['account', account],
        ['used for', usersText(account, config)],
      ],
      fields: isPair
        ? [pemField('certificate', 'Certificate'), pemField('key', 'Private key')]
        : isLong
          ? [pemField('secret', sentence(what).slice(0, -1))]
          : [
              {
                name: 'secret',
                label: sentence(what).slice(0, -1),
                kind: 'password',
                autocomplete: 'new-password',
              },
            ],
      ...(!isLong && { enter: 'yes' as const }),
      yes: 'Save',
      no: 'Cancel',
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
    async submit(fields) {
      try {
        const { text, hint } = isPair
          ? await keepPair(deps, account, halvesIn(fields))
          : await keepSecret(deps, { account, part }, nonEmpty(typed(fields['secret'])));
        const more = hint === null ? [] : [sentence(hint)];
        return { kind: 'done', good: true, heading: 'Saved', text: [text, ...more] };
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
      heading: 'Nothing saved',
      text: ['Nothing was changed.'],
    }),
  };
}

function pemField(name: string, label: string): WindowField {
  const hint = 'Paste the complete PEM, including the BEGIN and END lines. It is visible while you paste.';
  return { name, label, kind: 'lines', hint, autocomplete: 'new-password' };
}

/** A form's lines end with CR LF, whatever was pasted. */
function typed(field: Secret | undefined): Secret {
  return new Secret((field?.reveal() ?? '').replaceAll('\r\n', '\n'));
}

/** Both may be in one field, as in many files. Throws BrokerError (reason usage) where there is neither. */
function halvesIn(fields: Fields): Partial<Record<Half, Secret>> {
  const all = nonEmpty(
    new Secret(['certificate', 'key'].map((name) => typed(fields[name]).reveal()).join('\n')),
  );
  const halves = (['certificate', 'key'] as const).map((half) => [half, halfOf(half, all)] as const);
  const given = halves.filter(([, value]) => value !== null);
  if (given.length === 0) {
    throw new BrokerError('secret.pem', 'what was given holds neither a certificate nor a key in PEM', {
      reason: 'usage',
    });
  }
  return Object.fromEntries(given);
}
