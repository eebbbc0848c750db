import type { AccountStatus, ClusterStatus } from '../../../access/status.ts';
import { runsProgram } from '../../../contract/program-names.ts';
import { sentence } from '../../../contract/ui/sentence.ts';
import type { ClusterView } from '../../../contract/ui/state.ts';

/** What is wrong with a cluster or registry and what to do, in a sentence or two; null: nothing is wrong. */
export function problemText(
  cluster: Pick<ClusterStatus, 'account' | 'problem'>,
  state: ClusterView['state'],
  account: Pick<AccountStatus, 'name' | 'problem' | 'kind'> | null,
  /** What the last renewal of its credential failed with. */
  trouble: string | null = null,
  what: 'cluster' | 'registry' = 'cluster',
): string | null {
  const name = cluster.account;
  const why = account?.problem ?? null;
  const ofToken = account?.kind === 'pkcs11' && why !== null ? tokenText(state, why) : null;
  if (ofToken !== null) {
    return ofToken;
  }
  switch (state) {
    case 'ready':
      return readyText(cluster.problem ?? why ?? trouble);
    case 'locked':
      return null;
    case 'rejecting':
      return `The server refuses it: ${cluster.problem ?? 'it rejects credentials with 401'}. Whoever runs the cluster can say why ${name} is not let in.`;
    case 'held':
      return 'It is pending approval.';
    case 'unknownAccount':
      return `config.yaml has no account ${name}: add one of that name, or give the ${what} another.`;
    case 'loginNeeded':
      return why === null ? `Not logged in to ${name}.` : `${name} needs a login: ${why}.`;
    case 'interrupted':
      return `The last renewal of ${name} was interrupted${why === null ? '' : `: ${why}`}. Log in again.`;
    case 'secretMissing':
      return why === null ? `${name} has no secret yet: set it.` : `${name} can’t be used: ${why}.`;
    case 'expired':
      return `${why ?? `the credential of ${name} has expired`}: set a new one.`;
    case 'failing':
      return `${failureText(account, cluster.problem ?? why ?? trouble)} It is tried again when a program asks.`;
    case 'invalid':
      return `${name} can’t be used${why === null ? '' : `: ${why}`}. Fix it in config.yaml.`;
  }
}

/** What a token says is about its account by name already; null: nothing that is a token’s. */
function tokenText(state: ClusterView['state'], why: string): string | null {
  switch (state) {
    case 'loginNeeded':
    case 'invalid':
      return sentence(why);
    case 'expired':
      return sentence(`${why}: put the renewed one on the token`);
    case 'failing':
      return `${sentence(why)} It is tried again when a program asks.`;
    default:
      return null;
  }
}

function failureText(account: Pick<AccountStatus, 'kind' | 'name'> | null, why: string | null): string {
  return account !== null && runsProgram(account.kind)
    ? `The plugin of ${account.name} failed${why === null ? '' : `: ${why}`}.`
    : (readyText(why) ?? 'No credential is available.');
}

/** Other texts embed this problem in a sentence; here it becomes a sentence. */
function readyText(problem: string | null): string | null {
  if (problem === null) {
    return null;
  }
  return sentence(problem.replace(/^could not be renewed/, 'It could not be renewed'));
}
