import type { Approvals } from '../../../consent/approvals/approvals.ts';
import { exitCodes } from '../../../contract/exit-codes.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { type ClusterTarget, clusterTarget } from '../../../domain/target/cluster-target.ts';
import { clusterName } from '../../../domain/target/target.ts';
import type { Account } from '../../../ports/account.ts';
import type { Clock } from '../../../ports/clock.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import type { Recorder } from '../../../ports/history.ts';
import { type IssueDeps, issue, recordingCall, refusedAs } from '../../issue.ts';
import { recheck } from '../../recheck.ts';
import { type Command, type CommandCall, parseWords, usageError } from '../command.ts';
import { isOutputForm, noToken, type OutputForm, outputForms, printed } from './printed-credential.ts';

/** Names in config.yaml are shorter (contract/config/names.ts). */
const longestName = 256;
const name = 'exec-credential';

export interface ExecCredentialDeps extends IssueDeps {
  approvals: Pick<Approvals, 'approve'>;
  recorder: Recorder;
  clock: Clock;
}

interface Wanted {
  account: string;
  cluster: string;
  form: OutputForm;
}

/**
 * `lanyard exec-credential --account NAME --cluster NAME [--output json|token|header]`: a credential for a program
 * that reads no kubeconfig. No server can be checked for it (rule: known-server), so it has its own permission: the
 * cluster's `execCredential`.
 */
export function execCredentialCommand(deps: ExecCredentialDeps): Command {
  return async (call) => {
    const wanted = readWords(call.args);
    const { account, cluster } = wanted;
    const record = recordingCall({ door: 'cli', caller: call.caller, account }, deps.recorder);
    const answered = await answer(wanted, { call, record }, deps);
    if (!answered.ok) {
      record(refusedAs(answered, clusterName(cluster)));
      return refusalAnswer(answered);
    }
    const seen = call.terminal.stdoutIsTerminal ?? false;
    return {
      code: exitCodes.good,
      stdout: answered.text,
      ...(seen && {
        stderr: `note: whoever has this can act as ${account} at ${cluster} until it ends: keep it to yourself\n`,
      }),
    };
  };
}

function readWords(args: string[]): Wanted {
  const { values } = parseWords(name, args, [], {
    account: { type: 'string' },
    cluster: { type: 'string' },
    output: { type: 'string' },
  });
  const { account, cluster, output: form = 'json' } = values;
  if (!account || !cluster) {
    throw usageError(name, 'it needs --account and --cluster');
  }
  // Longer than any name: it is a stranger's, and goes into the log.
  if (account.length > longestName || cluster.length > longestName) {
    throw usageError(name, 'a name is too long');
  }
  if (!isOutputForm(form)) {
    throw usageError(name, `--output is one of ${outputForms.join(', ')}`);
  }
  return { account, cluster, form };
}

async function answer(
  wanted: Wanted,
  { call, record }: { call: CommandCall; record: ReturnType<typeof recordingCall> },
  deps: ExecCredentialDeps,
): Promise<{ ok: true; text: string } | Refusal> {
  const locked = deps.gate();
  if (locked) {
    return locked;
  }
  const found = deps.directory.account(wanted.account);
  if (!found.ok) {
    return found;
  }
  const { account } = found;
  const again = () => permittedCluster(wanted, account, deps);
  const permitted = again();
  if (!permitted.ok) {
    return permitted;
  }
  const { target } = permitted;
  const approved = await deps.approvals.approve({
    ...call,
    target,
    interactive: true,
    print: target.cluster.config.execCredential === 'allow' ? 'allowed' : 'asked',
  });
  if (!approved.ok) {
    return approved;
  }
  const changed = approved.waited ? recheck({ account, target, again }, deps) : null;
  return (
    changed ??
    issue(
      {
        account,
        target,
        again,
        // Each call is for once: that it comes again tells nothing of a 401 (rule: inferred-401).
        client: null,
        onlyAfter401: false,
        interactive: true,
        context: call,
        record,
        format: (grant) => printed(wanted.form, wanted, grant, deps.clock),
      },
      deps,
    )
  );
}

/** The cluster, where it is this account's and may be asked for in this way. */
function permittedCluster(
  wanted: Wanted,
  account: Account,
  { directory }: ExecCredentialDeps,
): { ok: true; target: ClusterTarget } | Refusal {
  const found = directory.cluster(wanted.cluster);
  if (!found.ok) {
    return found;
  }
  const { config } = found.cluster;
  if (config.account !== account.name) {
    return refuse(
      'notPermitted',
      'execCredential.account',
      `the cluster ${wanted.cluster} gets its credential from ${config.account}, not from ${account.name}`,
      `say --account ${config.account}`,
    );
  }
  if (config.execCredential !== 'ask' && config.execCredential !== 'allow') {
    return refuse(
      'notPermitted',
      'execCredential.refused',
      `the credential for ${wanted.cluster} is not printed (execCredential: refuse)`,
      'kubectl and other clients get it through the kubeconfig; else set execCredential: ask for the cluster in config.yaml',
    );
  }
  if (wanted.form !== 'json' && account.kind === 'clientCertificate') {
    // Before the user is asked for something impossible.
    return noToken(wanted.form, account.name);
  }
  return { ok: true, target: clusterTarget(found.cluster) };
}
