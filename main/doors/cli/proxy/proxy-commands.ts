import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import { byteText } from '../../../contract/ui/byte-text.ts';
import { spanText } from '../../../contract/ui/time-texts.ts';
import { clusterCalled } from '../../../domain/naming/cluster-called.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ActiveConfig } from '../../../ports/config-store.ts';
import type { ClientListenerView, RequestProxy } from '../../../ports/request-proxy.ts';
import { type Command, done, json, parseWords, usageError } from '../command.ts';
import { heading } from '../status/state-text.ts';
import { columnsOf, table } from '../table.ts';
import { faultLines } from './fault-lines.ts';

export interface ProxyCommandDeps {
  requestProxy: RequestProxy;
  config: ActiveConfig;
  clock: Pick<Clock, 'now'>;
}

/** `lanyard proxy status [--json]`. Also while locked: it shows no secret. */
export function proxyStatusCommand({ requestProxy, config, clock }: ProxyCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('proxy status', call.args, [], { json: { type: 'boolean' } });
    const clusters = proxiedOf(config);
    const running = requestProxy.running();
    const faults = requestProxy.faults();
    const listeners = requestProxy.listeners();
    const requests = (await requestProxy.requests(null)).length;
    if (values.json) {
      return done(json({ running, clusters, requests, listeners, faults }));
    }
    if (clusters.length === 0 && running === null) {
      return done(
        undefined,
        'No cluster goes through the request proxy. To add one, see: lanyard help cluster add',
      );
    }
    const rows = table([
      [
        'proxy',
        running ? `127.0.0.1:${running.port}, pid ${running.pid}` : 'not running: starts on first use',
      ],
      ['clusters', clusters.join(', ')],
      ['requests', String(requests)],
    ]);
    return done([rows, ...listenerLines(listeners, clock), ...faultLines(faults)].join('\n'));
  };
}

/** The listeners of one client’s own, if there are any. */
function listenerLines(listeners: readonly ClientListenerView[], clock: ProxyCommandDeps['clock']): string[] {
  const now = clock.now();
  const rows = listeners.map(({ cluster, program, pid, openedAt, url }) => [
    cluster,
    visibleText(program ?? 'unknown', 60),
    String(pid),
    spanText(now - openedAt),
    visibleText(url),
  ]);
  return rows.length === 0
    ? []
    : ['', table([heading('CLUSTER', 'PROGRAM', 'PID', 'AGE', 'LISTENS ON'), ...rows])];
}

/** `lanyard proxy requests [CLUSTER] [--json]` */
export function proxyRequestsCommand({ requestProxy, config, clock }: ProxyCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('proxy requests', call.args, ['[CLUSTER]'], {
      json: { type: 'boolean' },
    });
    const { clusters } = config.current();
    const [said] = positionals;
    const cluster = said === undefined ? null : clusterCalled(said, clusters.values());
    if (cluster !== null && !clusters.has(cluster)) {
      throw unknownName('cluster', cluster, clusters.keys());
    }
    const requests = await requestProxy.requests(cluster);
    if (values.json) {
      return done(json(requests));
    }
    if (requests.length === 0) {
      return done(undefined, 'No requests are under way.');
    }
    const now = clock.now();
    return done(
      table(
        [
          heading('ID', 'CLUSTER', 'PROGRAM', 'PID', 'AGE', 'UP', 'DOWN', 'METHOD', 'PATH'),
          ...requests.map((each) => [
            String(each.id),
            each.cluster,
            visibleText(each.program ?? 'unknown', 60),
            String(each.pid),
            spanText(now - each.startedAt),
            byteText(each.bytesUp),
            byteText(each.bytesDown),
            visibleText(each.method, 20),
            visibleText(each.path),
          ]),
        ],
        columnsOf(call.terminal),
      ),
    );
  };
}

/** `lanyard proxy end ID` */
export function proxyEndCommand({ requestProxy }: ProxyCommandDeps): Command {
  return async (call) => {
    const { positionals } = parseWords('proxy end', call.args, ['ID'], {});
    const [text = ''] = positionals;
    if (!/^\d{1,15}$/.test(text)) {
      throw usageError('proxy end', 'ID is a number that lanyard proxy requests shows');
    }
    const ended = await requestProxy.endRequest(Number(text));
    if (!ended.ok) {
      throw ended.reason === 'notFound'
        ? new BrokerError(ended.code, ended.message, { reason: 'notFound', hint: 'lanyard proxy requests' })
        : refusalError(ended);
    }
    return done(undefined, `Ended the request ${text}: its program sees a broken connection.`);
  };
}

/** The clusters that go through the request proxy. */
function proxiedOf(config: ActiveConfig): string[] {
  return [...config.current().clusters.values()]
    .filter((cluster) => cluster.config.proxy !== undefined)
    .map(({ name }) => name);
}
