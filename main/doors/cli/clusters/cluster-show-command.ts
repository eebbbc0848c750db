import type { StatusReader } from '../../../access/status.ts';
import { clusterCalled } from '../../../domain/naming/cluster-called.ts';
import { chainSteps } from '../../../domain/proxy/chain.ts';
import { stepWords } from '../../../domain/proxy/chain-words.ts';
import { listenerWords } from '../../../domain/proxy/own-form.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { ActiveConfig } from '../../../ports/config-store.ts';
import { type Command, done, json, parseWords } from '../command.ts';
import { clusterStateText } from '../status/status-tables.ts';

export interface ClusterShowDeps {
  status: StatusReader;
  config: ActiveConfig;
}

/** `lanyard cluster show CLUSTER [--json]`. Also while locked: it shows no secret. */
export function clusterShowCommand({ status, config }: ClusterShowDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('cluster show', call.args, ['CLUSTER'], {
      json: { type: 'boolean' },
    });
    const { clusters } = config.current();
    const name = clusterCalled(positionals[0] ?? '', clusters.values());
    const loaded = clusters.get(name);
    const cluster = (await status.read()).clusters.find((each) => each.name === name);
    if (!loaded || !cluster) {
      throw unknownName('cluster', name, clusters.keys());
    }
    const { tlsServerName, proxyUrl, audience, approval, proxy } = loaded.config;
    if (values.json) {
      return done(
        json({
          ...cluster,
          tlsServerName: tlsServerName ?? null,
          proxyUrl: proxyUrl ?? null,
          audience: audience ?? null,
          approval,
          proxy: proxy ?? null,
        }),
      );
    }
    const line = (label: string, value: string | null | undefined) =>
      value ? [`${`${label}:`.padEnd(18)}${visibleText(value, 1024)}`] : [];
    const steps = proxy && chainSteps(proxy).map(stepWords);
    return done(
      [
        ...line('Cluster', name),
        ...line('Display name', cluster.displayName),
        `${'State:'.padEnd(18)}${clusterStateText(cluster)}`,
        ...line('Problem', cluster.problem),
        ...line('Server', cluster.server),
        ...line('TLS server name', tlsServerName),
        ...line('Reached through', proxyUrl),
        ...line('Account', cluster.account),
        ...line('Audience', audience),
        ...line('Approval', approval),
        ...(steps ? line('Request proxy', steps.length === 0 ? 'yes, without steps' : 'each request:') : []),
        ...(steps ?? []).map((step, index) => `  ${index + 1}. ${visibleText(step, 1024)}`),
        ...line('Cookies', proxy?.cookies === 'pass' ? 'pass' : null),
        ...line('Own listeners', proxy?.proxyConfig && listenerWords(proxy.proxyConfig)),
      ].join('\n'),
    );
  };
}
