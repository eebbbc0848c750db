import { readFileSync } from 'node:fs';
import { execVersion } from '../../support/kubectl.ts';
import type { OnTerminal } from '../../support/pty.ts';
import { names, type Stage } from '../stage.ts';
import { expect, expectGood, type Outcome, type Step } from './step.ts';

/** How long the person at the screen may take for a login, in milliseconds. */
const personMilliseconds = 300_000;

/** From an empty home to a kubeconfig. */
export const prepareSteps: readonly Step[] = [
  { what: 'lanyard agent (no display)', essential: true, run: startBroker },
  { what: `lanyard account add ${names.account}`, essential: true, run: addAccount },
  { what: `lanyard cluster add ${names.cluster}`, essential: true, run: addCluster },
  { what: `lanyard login ${names.account} (device flow)`, essential: true, run: logIn },
  { what: 'lanyard kubeconfig write', essential: true, run: writeKubeconfig },
];

async function startBroker(stage: Stage): Promise<Outcome> {
  const agent = await stage.startBroker();
  return {
    did: 'made a vault under the passphrase, listens',
    milliseconds: agent.readyMilliseconds,
  };
}

async function addAccount(stage: Stage): Promise<Outcome> {
  const { issuer, clientId, caPem } = stage.provider;
  const ca = caPem === null ? [] : ['--certificate-authority', stage.home.write('provider-ca.pem', caPem)];
  const scopes = ['openid', 'offline_access', 'email', 'groups'].flatMap((scope) => ['--scope', scope]);
  const args = ['account', 'add', names.account, '--oidc-issuer', issuer, '--client-id', clientId];
  return addByPerson(stage, [...args, ...scopes, ...ca]);
}

async function addCluster(stage: Stage): Promise<Outcome> {
  const asked = { question: /or Enter for neither: $/, answer: '1' };
  return addByPerson(stage, clusterWords(stage, names.cluster, names.account), asked);
}

export function clusterWords(stage: Stage, cluster: string, account: string): string[] {
  const ca = stage.home.write('cluster-ca.pem', stage.api.caPem);
  const { server } = stage.api;
  return ['cluster', 'add', cluster, '--server', server, '--account', account, '--certificate-authority', ca];
}

/** On a terminal the change counts as confirmed by a person, and nothing is held. `asked`: what is asked on the way. */
export async function addByPerson(
  stage: Stage,
  args: readonly string[],
  asked: { question: RegExp; answer: string } | null = null,
): Promise<Outcome> {
  const running = stage.lanyardOnTerminal(args);
  if (asked) {
    await running.waitForText(asked.question);
    running.send(`${asked.answer}\n`);
  }
  const ended = await running.ended;
  expectGood(ended, `lanyard ${args.slice(0, 2).join(' ')}`);
  const status = await readStatus(stage);
  expect(status.held.length === 0, 'the change to be in force', `held: ${JSON.stringify(status.held)}`);
  return {
    did: 'wrote config.yaml, confirmed by being typed on a terminal',
    milliseconds: ended.milliseconds,
  };
}

async function logIn(stage: Stage): Promise<Outcome> {
  const { counts } = stage.provider;
  const login = stage.lanyardOnTerminal(['login', names.account, '--device']);
  const shown = await login.waitForText(/enter the code (\S+)[\s\S]*?good for/);
  const code = /enter the code (\S+)/.exec(shown)?.[1] ?? '';
  await (stage.options.browser ? askPerson(stage, login, code) : stage.provider.person.approveDevice(code));
  const ended = await login.ended;
  expectGood(ended, 'lanyard login');
  const begun = counts.requests.device_authorization;
  expect(begun === 1, 'one device login at the provider', `there were ${begun}`);
  const account = (await readStatus(stage)).accounts.find(({ name }) => name === names.account);
  expect(account?.state === 'ready', 'a session', `the account is ${account?.state}`);
  const who = stage.options.browser ? 'you' : 'the demo';
  return {
    did: `showed a code, which ${who} approved; keeps the session of ${account.subject}`,
    milliseconds: ended.milliseconds,
  };
}

async function askPerson(stage: Stage, login: OnTerminal, code: string): Promise<void> {
  const link =
    /https?:\/\/\S+[?&]user_code=\S+/.exec(login.shown())?.[0] ?? `${stage.provider.issuer}/device`;
  stage.screen.print(`\n   Your turn. Open    ${link}`);
  stage.screen.print(`   with the code      ${code}`);
  stage.screen.print('   and log in under any name (no password). Waiting …\n');
  await login.waitForText(/Logged in|lanyard: /, personMilliseconds);
}

async function writeKubeconfig(stage: Stage): Promise<Outcome> {
  const milliseconds = await kubeconfigWrite(stage);
  const secret = /\b(token|client-key-data|password)\b|\beyJ/.exec(
    readFileSync(stage.kubeconfig, 'utf8'),
  )?.[0];
  expect(secret === undefined, 'a kubeconfig without secrets', `it has “${secret}”`);
  return { did: 'wrote a kubeconfig that names the helper and holds no secret', milliseconds };
}

/** Writes it for what the installed kubectl knows; hands back milliseconds. */
export async function kubeconfigWrite(stage: Stage): Promise<number> {
  const version = execVersion(stage.kubectl);
  const ended = await stage.lanyard(['kubeconfig', 'write', '--api-version', version]);
  expectGood(ended, 'lanyard kubeconfig write');
  stage.kubeconfig = ended.stdout.trim();
  return ended.milliseconds;
}

export interface StatusAnswer {
  held: unknown[];
  accounts: { name: string; state: string; subject: string | null; expiresAt: number | null }[];
}

export async function readStatus(stage: Stage): Promise<StatusAnswer> {
  const ended = await stage.lanyard(['status', '--json']);
  expectGood(ended, 'lanyard status --json');
  return JSON.parse(ended.stdout) as StatusAnswer;
}
