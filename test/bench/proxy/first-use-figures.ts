import { findKubectls } from '../../support/kubectl.ts';
import { answerTo, statedIn } from '../../support/proxied-stage.ts';
import { mustBeGood, Stage, until } from '../../support/stage.ts';
import { type Figures, failures } from '../figure.ts';
import { median } from '../statistics.ts';

/** kubectl where the request proxy has to be started first, and where it runs, beside kubectl without it. */
export async function* firstUseFigures(rounds: number): Figures {
  const stage = await Stage.open({
    extend: (config, { api, home }) => {
      config.clusters['proxied'] = {
        server: api.server,
        certificateAuthority: home.write('api-ca.pem', api.caPem),
        account: 'bot',
        proxy: {},
      };
    },
  });
  try {
    await stage.setSecrets();
    const kubeconfig = await stage.writeKubeconfig();
    const { newest } = findKubectls();
    let failed = 0;
    const get = async (context: string) => {
      const startedAt = performance.now();
      const done = await stage.kubectl(newest, kubeconfig, ['--context', context, 'get', 'pods']);
      failed += done.code === 0 ? 0 : 1;
      return performance.now() - startedAt;
    };
    // Their discovery is cached from here on.
    mustBeGood(await stage.kubectl(newest, kubeconfig, ['--context', 'proxied', 'get', 'pods']));
    await get('prod-bot');
    const taken = { first: [] as number[], running: [] as number[], plain: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      await endProxy(stage, kubeconfig, 'proxied');
      taken.first.push(await get('proxied'));
      taken.plain.push(await get('prod-bot'));
      taken.running.push(await get('proxied'));
    }
    const plain = { what: 'without the proxy', value: median(taken.plain) };
    const more = (times: readonly number[]) =>
      median(times.map((time, index) => time - (taken.plain[index] ?? 0)));
    yield {
      what: 'kubectl get pods, the request proxy started for it: more than without it, median',
      value: more(taken.first),
      unit: 'ms',
      reference: plain,
      limit: { kind: 'atMost', value: 60 },
    };
    yield {
      what: 'kubectl get pods through the running request proxy: more than without it, median',
      value: more(taken.running),
      unit: 'ms',
      reference: plain,
      limit: { kind: 'atMost', value: 20 },
    };
    yield failures('kubectl runs that failed', failed);
  } finally {
    await stage.dispose();
  }
}

/** Ends the request proxy. No client of it lives, so the broker doesn’t start it again before one asks. */
export async function endProxy(stage: Stage, kubeconfig: string, cluster: string): Promise<void> {
  const line = stage
    .agentLogs()
    .split('\n')
    .findLast((each) => each.includes('"proxy.started"'));
  process.kill(JSON.parse(line ?? '{}').pid, 'SIGKILL');
  const stated = statedIn(kubeconfig, cluster);
  await until(async () => ((await answerTo(stated, 'x')) === 'ECONNREFUSED' ? true : null), 'its end');
}
