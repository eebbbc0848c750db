import { ExecProxyClient } from '../../support/exec-proxy-client.ts';
import { findGo } from '../../support/go.ts';
import { mustBeGood, Stage } from '../../support/stage.ts';
import { type Figures, failures } from '../figure.ts';
import { median } from '../statistics.ts';
import { endProxy } from './first-use-figures.ts';

/**
 * The whole process of a client that knows KEP-2718 (docs/examples/exec-proxy-client): it takes its lock, runs the helper,
 * has a listener of its own opened, and sends one request there; in turn with the same client where the helper gives it
 * the cluster’s token.
 */
export async function* ownFormFigures(rounds: number): Figures {
  const go = findGo();
  if (!go.ok) {
    process.stderr.write(`left out: the own form of KEP-2718: ${go.why}\n`);
    return;
  }
  const stage = await Stage.open({
    extend: (config, { api, home }) => {
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const cluster = { server: api.server, certificateAuthority, account: 'bot' };
      config.clusters['own'] = { ...cluster, proxy: {} };
    },
  });
  try {
    await stage.setSecrets();
    const client = await ExecProxyClient.on(stage);
    const kubeconfig = await stage.writeKubeconfig();
    let failed = 0;
    const get = async (context: string) => {
      const done = await client.run(kubeconfig, ['--context', context, 'get', '/version']);
      failed += done.code === 0 ? 0 : 1;
      return done.milliseconds;
    };
    mustBeGood(await client.run(kubeconfig, ['--context', 'own', 'get', '/version']));
    await get('prod-bot');
    const taken = { first: [] as number[], running: [] as number[], plain: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      await endProxy(stage, kubeconfig, 'own');
      taken.first.push(await get('own'));
      taken.plain.push(await get('prod-bot'));
      taken.running.push(await get('own'));
    }
    const more = (times: readonly number[]) =>
      median(times.map((time, index) => time - (taken.plain[index] ?? 0)));
    const reference = { what: 'without the proxy', value: median(taken.plain) };
    for (const [when, times] of [
      ['started for it', taken.first],
      ['running', taken.running],
    ] as const) {
      yield {
        what: `a client that knows KEP-2718, by a listener of its own, the request proxy ${when}: more than without it, median`,
        value: more(times),
        unit: 'ms',
        reference,
        limit: { kind: 'atMost', value: 100 },
      };
    }
    yield failures('runs of a client that knows KEP-2718 that failed', failed);
  } finally {
    await stage.dispose();
  }
}
