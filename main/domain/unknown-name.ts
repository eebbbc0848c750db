import { BrokerError } from '../contract/broker-error.ts';
import { nearestNames } from './nearest-name.ts';
import { visibleText } from './visible-text.ts';

/** As in config.yaml (contract/config.ts). */
const longestName = 128;

/** A name that config.yaml doesn't have; the hint names the nearest ones (reason notFound). */
export function unknownName(what: 'account' | 'cluster', name: string, known: Iterable<string>): BrokerError {
  const near = nearestNames(name, [...known]);
  return new BrokerError(`${what}.unknown`, `there is no ${what} named "${visibleText(name, longestName)}"`, {
    reason: 'notFound',
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `lanyard ${what} list shows what there is`,
  });
}
