import { BrokerError } from '../../contract/broker-error.ts';
import type { ConfiguredKind } from '../../contract/config/config.ts';
import { nearestNames } from './nearest-name.ts';
import { visibleText } from './visible-text.ts';

/** As in config.yaml (contract/config/names.ts). */
const longestName = 128;

/** A name that config.yaml, or for a context the kubeconfigs, don't have; the hint names the nearest (reason notFound). */
export function unknownName(
  what: ConfiguredKind | 'context',
  name: string,
  known: Iterable<string>,
): BrokerError {
  const near = nearestNames(name, [...known]);
  const list = what === 'context' ? 'lanyard context' : `lanyard ${what} list`;
  return new BrokerError(`${what}.unknown`, `there is no ${what} named "${visibleText(name, longestName)}"`, {
    reason: 'notFound',
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `${list} shows what there is`,
  });
}
