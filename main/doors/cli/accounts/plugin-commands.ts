import type { PluginReader } from '../../../accounts/plugins/report.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import { type Command, done, json, parseWords } from '../command.ts';
import { columnsOf } from '../table.ts';
import { pluginListText, pluginText } from './plugin-text.ts';

export interface PluginCommandDeps {
  config: Pick<ConfigStore, 'current'>;
  reader: PluginReader;
  clock: Pick<Clock, 'now'>;
}

/** A day of runs is read by the hour. */
const readingSeconds = 60;

/** `lanyard plugin list [--json]`. Also while locked: it holds no secret. */
export function pluginListCommand({ reader, clock }: PluginCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('plugin list', call.args, [], { json: { type: 'boolean' } });
    call.terminal.extend(readingSeconds);
    const plugins = await reader.all();
    if (values.json) {
      return done(json(plugins));
    }
    return plugins.length === 0
      ? done(
          undefined,
          'No plugins yet. lanyard kubeconfig import takes the exec plugins of your kubeconfigs.',
        )
      : done(pluginListText(plugins, clock.now(), columnsOf(call.terminal)));
  };
}

/** `lanyard plugin show ACCOUNT [--json]`. While locked without what the plugin said. */
export function pluginShowCommand({ config, reader, clock }: PluginCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('plugin show', call.args, ['ACCOUNT'], {
      json: { type: 'boolean' },
    });
    const name = positionals[0] ?? '';
    const { accounts } = config.current();
    const plugins = [...accounts.values()].filter(
      ({ config: each }) =>
        'execPlugin' in each ||
        'credentialProvider' in each ||
        'awsProcess' in each ||
        'requestSigner' in each,
    );
    if (!accounts.has(name)) {
      throw unknownName(
        'account',
        name,
        plugins.map((each) => each.name),
      );
    }
    call.terminal.extend(readingSeconds);
    const plugin = await reader.one(name);
    if (plugin === null) {
      throw new BrokerError(
        'plugin.other',
        `${name} is no exec plugin, no provider plugin, no program for AWS keys and no program that signs requests`,
        {
          reason: 'usage',
          hint: 'lanyard plugin list tells which accounts are',
        },
      );
    }
    return done(values.json ? json(plugin) : pluginText(plugin, clock.now(), columnsOf(call.terminal)));
  };
}
