import { renameSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { buildInformer, whyNoApiServer } from '../support/kube-apiserver/build.ts';
import { type ApiServer, startApiServer } from '../support/kube-apiserver/index.ts';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';
import { unlock } from '../support/unlock.ts';

const answerOf = ({ home }: Pick<Stage, 'home'>) => `${home.outside}/answer.json`;

/** A real kube-apiserver, with the repository's OpenID provider over TLS. */
const why = whyNoApiServer();
const tokenSeconds = 90;
const certificateSeconds = 20;
const rotations = 4;

describe('a real kube-apiserver', unless(why), () => {
  let stage: Stage;
  let cluster: ApiServer;
  let kubeconfig: string;
  const { newest } = findKubectls();

  /** The plugin's next answer: a certificate that has just been issued. */
  const issue = async (client: Stage | Omit<Stage, 'agent'>) => {
    const now = Date.now();
    const issued = await issueClientCertificate(client.clientCa, {
      commonName: 'carol',
      notBefore: new Date(now - 1_000),
      notAfter: new Date(now + certificateSeconds * 1_000),
    });
    const answer = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: {
        clientCertificateData: issued.chainPem,
        clientKeyData: issued.keyPem,
        expirationTimestamp: issued.notAfter.toISOString(),
      },
    };
    renameSync(client.home.write('next.json', JSON.stringify(answer)), answerOf(client));
  };

  beforeAll(async () => {
    stage = await Stage.open({
      provider: { lifetimes: { idTokenSeconds: tokenSeconds } },
      extend: async ({ accounts, clusters }, here) => {
        cluster = await startApiServer({
          oidc: {
            issuer: here.provider.issuer,
            caPem: here.provider.caPem ?? '',
            audience: here.provider.clientId,
          },
          clientCa: here.clientCa,
          viewers: ['alice', 'carol'],
        });
        const certificateAuthority = here.home.write('real-ca.pem', cluster.caPem);
        await issue(here);
        accounts['certificates'] = {
          execPlugin: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: '/bin/cat',
            args: [answerOf(here)],
            interactiveMode: 'Never',
          },
        };
        clusters['real'] = { server: cluster.server, certificateAuthority, account: 'corp' };
        clusters['real-certificates'] = { ...clusters['real'], account: 'certificates' };
      },
    });
    await stage.logIn();
    kubeconfig = await stage.writeKubeconfig();
    await until(async () => ((await get()).code === 0 ? true : null), 'the provider’s keys');
  }, 3_900_000);
  afterAll(async () => {
    await stage?.dispose();
    await cluster?.dispose();
  });

  const get = () => stage.kubectl(newest, kubeconfig, ['--context', 'real', 'get', 'pods']);
  const stateNow = async () => {
    const { clusters } = await stage.status();
    return clusters.find(({ name }: { name: string }) => name === 'real').state;
  };
  const becomes = (state: string) =>
    until(async () => ((await stateNow()) === state ? true : null), `the state ${state}`);
  const callsUntil = (code: number) =>
    until(async () => ((await get()).code === code ? true : null), `kubectl to end with ${code}`);

  test('rejects tokens and takes them again: status says so immediately, over a lock and a restart', async () => {
    expect(await stateNow()).toBe('ready');
    cluster.takeAudience('another');
    await callsUntil(1);
    await becomes('rejecting');

    mustBeGood(await stage.lanyard(['lock']));
    await unlock(stage.home, 'the stage’s passphrase');
    expect(await stateNow()).toBe('rejecting');
    await stage.startAgent();
    await becomes('rejecting');

    cluster.takeAudience(stage.provider.clientId);
    await callsUntil(0);
    await becomes('ready');

    cluster.takeAudience('another');
    await callsUntil(1);
    await becomes('rejecting');
    cluster.takeAudience(stage.provider.clientId);
    // Nobody but doctor asks.
    await until(async () => {
      await stage.lanyard(['doctor']);
      return (await stateNow()) === 'ready' ? true : null;
    }, 'doctor to see that it takes tokens again');
    mustBeGood(await get());
  }, 180_000);

  test('a long-lived client-go informer goes on while its certificates rotate', async () => {
    const informer = stage.start(await buildInformer(), [kubeconfig, 'real-certificates'], {});
    const said = () =>
      informer
        .stdout()
        .split('\n')
        .slice(0, -1)
        .map((line): { kind: string; name?: string; error?: string } => JSON.parse(line));
    const names: string[] = [];
    for (let half = 0; half < rotations * 2; half++) {
      await issue(stage);
      const name = `seen-${half}`;
      names.push(name);
      expect(await cluster.ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } })).toBe(
        201,
      );
      await delay((certificateSeconds * 1_000) / 2);
    }
    await until(() => (said().some(({ name }) => name === names.at(-1)) ? true : null), 'the last ConfigMap');
    informer.closeInput();
    mustBeGood(await informer.ended);
    const seen = said().flatMap(({ kind, name }) => (kind === 'seen' ? [name] : []));
    expect(seen).toEqual(expect.arrayContaining(names));
    const requests = said().filter(({ kind }) => kind === 'request');
    expect(requests.length).toBeGreaterThan(rotations * certificateSeconds);
    expect(requests.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(said().filter(({ kind }) => kind === 'failed')).toEqual([]);
  }, 300_000);

  test('takes kubectl for as long as asked, with tokens that live 90 s, and no call fails', async () => {
    const minutes = Number(process.env['LANYARD_REAL_MINUTES'] ?? 15);
    const refreshes = () => stage.provider.counts.tokenRequests.refresh_token;
    const before = refreshes();
    const began = Date.now();
    const failed: { after: number; stderr: string }[] = [];
    let calls = 0;
    while (Date.now() - began < minutes * 60_000) {
      const { code, stderr } = await get();
      calls += 1;
      if (code !== 0) {
        failed.push({ after: Math.round((Date.now() - began) / 1000), stderr });
      }
      await delay(200);
    }
    const lives = (minutes * 60) / tokenSeconds;
    process.stdout.write(
      `kube-apiserver: ${calls} calls of kubectl in ${minutes} min, ${failed.length} failed, ${refreshes() - before} renewals\n`,
    );
    expect(failed).toEqual([]);
    expect(refreshes() - before).toBeGreaterThanOrEqual(Math.floor(lives));
    expect(refreshes() - before).toBeLessThan(lives * 1.6 + 2);
  }, 3_600_000);
});
