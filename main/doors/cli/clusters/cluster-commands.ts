import type { StatusReader } from '../../../access/status.ts';
import { parseJson } from '../../../base/parse-json.ts';
import { clusterNamed } from '../../../domain/naming/cluster-called.ts';
import type { UserContexts } from '../../../kubeconfig/user-contexts/user-contexts.ts';
import { missingText } from '../../../operations/cluster-context.ts';
import { mustBe } from '../../../operations/entry-name.ts';
import { type Command, done, json, parseWords, usageError } from '../command.ts';
import { addedAnswer, type EditDeps, editConfig, given, pathOption } from '../edit-config.ts';
import type { KubectlContexts } from '../kubeconfig/kubectl-contexts.ts';
import { clustersTable } from '../status/status-tables.ts';
import { columnsOf } from '../table.ts';
import { pluginAdditions } from './plugin-additions.ts';
import { proxyOptions } from './proxy-options.ts';

export interface ClusterCommandDeps extends EditDeps {
  kubectl: KubectlContexts;
  userContexts: Pick<UserContexts, 'reconcile'>;
  status: StatusReader;
}

/** `lanyard cluster add NAME --server URL --account ACCOUNT …` */
export function clusterAddCommand(deps: ClusterCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('cluster add', call.args, ['NAME'], {
      server: { type: 'string' },
      account: { type: 'string' },
      'certificate-authority': { type: 'string' },
      'tls-server-name': { type: 'string' },
      'insecure-skip-tls-verify': { type: 'boolean' },
      'proxy-url': { type: 'string' },
      'without-info': { type: 'string' },
      audience: { type: 'string' },
      'exec-config': { type: 'string' },
      approval: { type: 'string' },
      'exec-credential': { type: 'string' },
      'additional-arg': { type: 'string', multiple: true },
      'additional-env': { type: 'string', multiple: true },
      'disable-compression': { type: 'boolean' },
      proxy: { type: 'boolean' },
      'proxy-header': { type: 'string', multiple: true },
      'proxy-impersonate': { type: 'string' },
      'proxy-impersonate-group': { type: 'string', multiple: true },
      'proxy-sign': { type: 'string' },
      'proxy-sign-service': { type: 'string' },
      'proxy-sign-region': { type: 'string' },
    });
    const name = positionals[0] ?? '';
    if (values.server === undefined || values.account === undefined) {
      throw usageError('cluster add', 'it needs --server and --account');
    }
    mustBe('cluster', name, true, deps.config);
    const value = given({
      server: values.server,
      certificateAuthority: pathOption(call, values['certificate-authority']),
      tlsServerName: values['tls-server-name'],
      insecureSkipTlsVerify: values['insecure-skip-tls-verify'],
      proxyUrl: values['proxy-url'],
      account: values.account,
      withoutInfo: values['without-info'],
      audience: values.audience,
      execConfig: execConfigOf(values['exec-config']),
      approval: values.approval,
      execCredential: values['exec-credential'],
      ...pluginAdditions(values['additional-arg'], values['additional-env']),
      disableCompression: values['disable-compression'],
      proxy: proxyOptions({
        proxy: values.proxy,
        headers: values['proxy-header'],
        impersonate: values['proxy-impersonate'],
        groups: values['proxy-impersonate-group'],
        sign: values['proxy-sign'],
        service: values['proxy-sign-service'],
        region: values['proxy-sign-region'],
      }),
    });
    const saved = await editConfig(call, { kind: 'set', what: 'cluster', name, value }, deps);
    const next = saved.held ? '' : await deps.kubectl.next(call, [name]);
    return addedAnswer(`cluster ${name}`, next, saved);
  };
}

function execConfigOf(text: string | undefined): unknown {
  const value = text === undefined ? undefined : parseJson(text);
  if (text !== undefined && value === undefined) {
    throw usageError('cluster add', '--exec-config: expected JSON, such as \'{"clusterName":"prod"}\'');
  }
  return value;
}

/** `lanyard cluster list [--wide] [--json]` */
export function clusterListCommand(deps: ClusterCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('cluster list', call.args, [], {
      wide: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const { clusters } = await deps.status.read();
    const contexts = await deps.kubectl.of(call);
    if (values.json) {
      return done(json(clusters.map((each) => ({ ...each, context: contexts.get(each.name) ?? null }))));
    }
    return clusters.length === 0
      ? done(undefined, 'No clusters yet. To add one, see: lanyard help cluster add')
      : done(
          clustersTable(clusters, columnsOf(call.terminal, values.wide), contexts),
          missingText([...contexts.values()]),
        );
  };
}

/** `lanyard cluster remove CLUSTER` */
export function clusterRemoveCommand(deps: ClusterCommandDeps): Command {
  return async (call) => {
    const { positionals } = parseWords('cluster remove', call.args, ['CLUSTER'], {});
    const name = clusterNamed(positionals[0] ?? '', deps.config.current().clusters.values());
    mustBe('cluster', name, false, deps.config);
    await editConfig(call, { kind: 'remove', what: 'cluster', name }, deps);
    await deps.userContexts.reconcile();
    return done(undefined, `Removed the cluster ${name}.`);
  };
}
