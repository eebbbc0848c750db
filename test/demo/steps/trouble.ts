import { kubeconfigText } from '../../support/kubeconfig.ts';
import { execVersion } from '../../support/kubectl.ts';
import { names, type Stage } from '../stage.ts';
import { expect, expectPods, type Outcome, refreshes, type Step } from './step.ts';
import { serverSaw } from './tokens.ts';

/** What must not work, and what must work again. */
export const troubleSteps: readonly Step[] = [
  { what: 'kubectl get pods, at another server', run: askForStranger },
  { what: 'kill -9 of the broker; kubectl', essential: true, run: callWithoutBroker },
  { what: 'lanyard agent again; kubectl', run: callAfterRestart },
];

async function askForStranger(stage: Stage): Promise<Outcome> {
  const { server, caPem, requests } = stage.stranger;
  const text = kubeconfigText(
    { server, caPem },
    {
      exec: {
        apiVersion: `client.authentication.k8s.io/${execVersion(stage.kubectl)}`,
        command: stage.home.file('helper'),
        args: ['kube-credential', '--account', names.account, '--cluster', names.cluster],
        env: { LANYARD_HOME: stage.home.path },
        provideClusterInfo: true,
      },
    },
  );
  const mark = await stage.auditMark();
  const ended = await stage.getPods([], stage.home.write('other-kubeconfig', text));
  const said = ended.stderr.replace(/\s+/g, ' ');
  expect(ended.code !== 0, 'kubectl to fail', 'it ended well');
  expect(/server mismatch for the cluster/.test(said), 'a clear refusal', `kubectl said: ${said}`);
  const lines = await stage.auditSince(mark);
  const refused = lines.length > 0 && lines.every(({ outcome }) => outcome === 'refused');
  expect(refused, 'refusals alone in the audit', JSON.stringify(lines));
  const leaked = requests.filter(({ token, via }) => token !== null || via !== 'none');
  expect(leaked.length === 0, 'no credential at the other server', `it got ${leaked.length}`);
  return {
    did: `denied (${lines[0]?.reason}); no token reached the other server`,
    milliseconds: ended.milliseconds,
  };
}

async function callWithoutBroker(stage: Stage): Promise<Outcome> {
  await stage.agent.kill('SIGKILL');
  const arrived = stage.api.requests.length;
  const ended = await stage.getPods();
  const line = /^lanyard: .*$/m.exec(ended.stderr)?.[0];
  expect(ended.code !== 0, 'kubectl to fail', 'it ended well');
  expect(line !== undefined, 'a line of the helper that says why', `kubectl said: ${ended.stderr}`);
  const taken = stage.api.requests.slice(arrived).filter(({ status }) => status !== 401);
  expect(taken.length === 0, 'nobody to be let in', `${taken.length} requests were`);
  return { did: `is away, and kubectl shows “${line}”`, milliseconds: ended.milliseconds };
}

async function callAfterRestart(stage: Stage): Promise<Outcome> {
  const { counts } = stage.provider;
  const logins = counts.requests.device_authorization;
  const before = stage.provider.refreshes.length;
  await stage.startBroker();
  const ended = await stage.getPods();
  expectPods(ended);
  const user = serverSaw(stage, 'token');
  const more = counts.requests.device_authorization - logins;
  expect(more === 0, 'no new login', `there were ${more}`);
  const made = stage.provider.refreshes.length - before;
  expect(made <= 1, 'one refresh at most', `there were ${made}`);
  return {
    did: `has the session from the vault: no new login, ${refreshes(made)}; the server saw ${user}`,
    milliseconds: ended.milliseconds,
  };
}
