import { BrokerError } from '../contract/broker-error.ts';
import type { ConfiguredKind } from '../contract/config/config.ts';
import { entriesOf } from '../domain/loaded-config.ts';
import { unknownName } from '../domain/text/unknown-name.ts';
import type { ConfigStore } from '../ports/config-store.ts';

/** Throws BrokerError where there is an entry of that name already (`isNew`), or else where there is none. */
export function mustBe(
  what: ConfiguredKind,
  name: string,
  isNew: boolean,
  config: Pick<ConfigStore, 'current' | 'file'>,
): void {
  const entries = entriesOf(config.current(), what);
  if (isNew && entries.has(name)) {
    throw new BrokerError(
      `${what}.exists`,
      `there is ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} named ${name} already`,
      {
        reason: 'usage',
        hint: `change it in ${config.file}, or remove it first: lanyard ${what} remove ${name}`,
      },
    );
  }
  if (!isNew && !entries.has(name)) {
    throw unknownName(what, name, entries.keys());
  }
  const origin = entries.get(name)?.origin;
  if (!isNew && origin) {
    throw new BrokerError(
      `${what}.ofInventory`,
      `the cluster ${name} is a profile of the inventory ${origin.inventory}, and not in ${config.file}`,
      { reason: 'usage', hint: `lanyard inventory drop ${name}` },
    );
  }
}
