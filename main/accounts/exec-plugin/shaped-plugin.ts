import { refuse } from '../../contract/refusal.ts';
import { shortBackoff } from '../../domain/backoff.ts';
import { clusterName } from '../../domain/target/target.ts';
import type { Account, Attendant, Obtained } from '../../ports/account.ts';
import { notFound } from '../plugins/counted-run.ts';
import { interactiveModeOf } from '../plugins/rules/interactive-mode.ts';
import { areHarmless } from '../plugins/rules/variables-ahead.ts';
import { Attendants } from './attendants.ts';
import { choosePlace, type Place } from './choose-place.ts';
import type { PluginParts } from './plugin-deps.ts';
import { PluginRun } from './plugin-run.ts';
import { missingProgram } from './plugin-words.ts';
import { type RunShape, runTarget, timeoutSeconds } from './run-order.ts';
import type { RunningPlugins } from './running-plugins.ts';

/** A renewal may pass through several runs before it ends: it may take this many times the limit of one run. */
const hands = 4;

/** A wrapped plugin as it serves requests of one shape. */
export function createShapedPlugin(
  parts: PluginParts,
  shape: RunShape,
  running: RunningPlugins,
  state: Account['state'],
): Account {
  const { account, config, programs } = parts;
  const mode = interactiveModeOf(config);
  // A proxy is for the client that holds the lock: it starts where that client is, in its own helper's run.
  const isShared = config.share && shape.lockFile === null;
  let current: PluginRun | null = null;
  const attendants = new Attendants(() => current?.reconsider());

  /** Whether another caller could go on in the place of `place`: for the broker, at a terminal. */
  const hasNext = (place: Place): boolean => {
    const others = attendants.fresh().filter((each) => place.where === 'broker' || each !== place.attendant);
    const next = choosePlace(mode, isShared, others);
    return others.length > 0 && 'where' in next && (place.where === 'caller' || next.where === 'caller');
  };

  const renew = async (signal: AbortSignal): Promise<Obtained> => {
    const before = attendants.all();
    for (let ranAlone = false; ; ) {
      const place = choosePlace(mode, isShared, attendants.fresh());
      if ('reason' in place) {
        return place;
      }
      const found = await programs.find(account);
      if (found.ok === false) {
        return found;
      }
      if (found.ok === 'missing') {
        const refusal = missingProgram(account.name, config, found);
        parts.recorder.record({
          kind: 'pluginRun',
          plugin: 'execPlugin',
          account: account.name,
          target: runTarget(shape, before),
          where: place.where,
          ...notFound,
          code: refusal.code,
          milliseconds: 0,
        });
        return refusal;
      }
      current = new PluginRun({ parts, shape, program: found.path, place, attendants, running, hasNext });
      const ended = await current.run(signal).finally(() => {
        current = null;
      });
      switch (ended.how) {
        case 'done':
          // A user who came while it ran without a terminal gets a separate attempt.
          if (!ended.obtained.ok && !ranAlone && place.where === 'broker' && newcomerAtTerminal(before)) {
            ranAlone = true;
            continue;
          }
          return ended.obtained;
        case 'passedOn':
          signal.throwIfAborted();
          if (place.where === 'caller') {
            // One that had not even to lend its terminal, and says that it has none, would say so for ever.
            const isAsked = place.terminal && ended.outcome === 'noTerminal';
            attendants.passOver(place.attendant, isAsked ? 'noTerminal' : 'spent');
          }
          if (attendants.fresh().length === 0) {
            return refuse(
              'denied',
              'execPlugin.lost',
              `no caller is left that waited for the plugin of ${account.name}`,
            );
          }
      }
    }
  };

  const newcomerAtTerminal = (before: readonly Attendant[]): boolean => {
    const place = choosePlace(mode, isShared, attendants.fresh());
    return 'where' in place && place.where === 'caller' && !before.includes(place.attendant);
  };

  return {
    name: account.name,
    kind: 'execPlugin',
    shape: {
      key: shape.key,
      target: shape.cluster && clusterName(shape.cluster.name),
      variables: shape.variables,
    },
    keepsNothing: true,
    isPassedOn: shape.lockFile !== null,
    renewsAhead: isShared && mode !== 'Always' && areHarmless(shape.variables.map(([name]) => name)),
    backoff: shortBackoff,
    renewalLimitMilliseconds: hands * timeoutSeconds(parts, true) * 1000,
    attend(attendant) {
      const leave = attendants.enter(attendant);
      current?.welcome(attendant);
      return leave;
    },
    current: async () => null,
    renew,
    state,
  };
}
