import { type Command, done, parseWords } from '../command.ts';

/** `lanyard metrics`: what the scrape endpoint serves. */
export function metricsCommand(deps: { metrics: { text(): Promise<string> } }): Command {
  return async (call) => {
    parseWords('metrics', call.args, [], {});
    return done((await deps.metrics.text()).trimEnd());
  };
}
