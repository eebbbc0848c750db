import { startCommand } from '../../contract/start-command.ts';
import type { Paths } from '../../domain/paths.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Check } from '../check.ts';
import type { LockHolder } from './lock-holder.ts';

/** The first finding where no broker answers, with the reason. `unreachable`: the helper’s error message. */
export function noBrokerCheck(
  paths: Pick<Paths, 'home' | 'log' | 'homeVariable'>,
  unreachable: string | null,
  holder: () => Promise<LockHolder>,
): Check {
  return {
    group: 'broker',
    name: 'broker',
    subject: null,
    run: async () => {
      const found = observe('broker.unreachable');
      const why = unreachable === null ? '' : ` (${unreachable})`;
      const held = await holder();
      const home = paths.homeVariable === null ? '' : `, with LANYARD_HOME set to ${paths.home}`;
      switch (held.kind) {
        case 'held': {
          const who = held.pid === null ? 'an agent' : `an agent (pid ${held.pid})`;
          return [
            found.problem(
              `${who} has this home, and does not answer${why}`,
              `see ${paths.log}; else end it, and start it again: ${startCommand}`,
            ),
          ];
        }
        case 'nobody':
          return [found.problem(`no agent runs${why}`, `${startCommand}${home}`)];
        case 'unknown':
          return [found.problem(`no agent answers${why}`, `${startCommand}${home}; see ${paths.log}`)];
      }
    },
  };
}
