import type { ProgramFacts } from '../../domain/program/program.ts';
import type { Clock } from '../../ports/clock.ts';
import type { InspectPlugin } from './inspect-plugin.ts';

/** So long what was seen is shown again. */
const freshMilliseconds = 250;

/**
 * For display, never before a run: a list of a thousand accounts asks for each of them, and most have the same
 * command. A recent result is returned again.
 */
export function cachedInspector(look: InspectPlugin, clock: Pick<Clock, 'boottime'>): InspectPlugin {
  const recent = new Map<string, { at: number; facts: Promise<ProgramFacts> }>();
  return (plugin) => {
    const now = clock.boottime();
    for (const [key, { at }] of recent) {
      if (now - at < freshMilliseconds) {
        break; // in the order of their looks
      }
      recent.delete(key);
    }
    const key = JSON.stringify([plugin.command, plugin.searchPath, plugin.isLibrary]);
    const known = recent.get(key);
    if (known) {
      return known.facts;
    }
    const facts = look(plugin);
    recent.set(key, { at: now, facts });
    return facts;
  };
}
