import { refusalError } from '../../../contract/broker-error.ts';
import { registryName } from '../../../domain/target/registry-target.ts';
import { imageWhy } from '../../../operations/image-why.ts';
import { readLastCalls } from '../../../operations/last-calls.ts';
import type { Directory } from '../../../ports/broker-core.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { HistoryReader } from '../../../ports/history-reader.ts';
import { type TestedRegistryDeps, testedRegistry } from '../../tested-registry.ts';
import type { UiHandlers } from '../handlers.ts';
import { createAskingLimit } from './limit-asking.ts';

export interface RegistryCallsDeps extends TestedRegistryDeps {
  directory: TestedRegistryDeps['directory'] & Pick<Directory, 'registries' | 'registryPatterns'>;
  history: { reader: Pick<HistoryReader, 'events'> };
  clock: Pick<Clock, 'boottime'>;
}

/** Each test is a click of the user. A registry locks an account that is tried too often. */
const testLimits = { atOnce: 4, perMinute: 40 };

type Names = Extract<keyof UiHandlers, `registry.${string}`>;

/** Registries: which image gets what, who asked, and whether the account has a credential. */
export function createRegistryCalls(deps: RegistryCallsDeps): Pick<UiHandlers, Names> {
  const { directory, history } = deps;
  const limitTests = createAskingLimit(testLimits, deps.clock);
  return {
    'registry.why': async ({ image }) => {
      const answered = await imageWhy(image, directory);
      if (!answered.ok) {
        throw refusalError(answered);
      }
      return answered.why;
    },
    'registry.test': ({ registry, image }, { signal }) =>
      limitTests(() => testedRegistry(registry, image, deps, signal)),
    'registry.lastCalls': ({ registry, most }) => readLastCalls(registryName(registry), most, history.reader),
  };
}
