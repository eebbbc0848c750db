import { BrokerError } from '../../contract/broker-error.ts';
import type { AwsEksConfig } from '../../contract/config/accounts/aws.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { eksToken } from '../../domain/aws/eks-token.ts';
import { shortBackoff } from '../../domain/backoff.ts';
import type { AwsKeys } from '../../domain/credential/aws-keys.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Account, AccountState, Obtained } from '../../ports/account.ts';
import type { AwsKeySource } from '../../ports/aws-key-source.ts';
import type { LoadedAccount } from '../../ports/config-store.ts';
import { observeRefusal } from '../observe.ts';
import { askSts, type StsDeps } from './ask-sts.ts';

export interface AwsEksDeps extends StsDeps {
  account: LoadedAccount;
  awsKeys: AwsKeySource;
}

/** The keys may have to come first, from a program. */
const renewalLimitMilliseconds = 90_000;

/**
 * Tokens for an EKS cluster, made of another account’s AWS keys without a program: as `aws eks get-token` makes them. It keeps
 * nothing: the grants keep the token, in memory.
 */
export function createAwsEksAccount(deps: AwsEksDeps): Account {
  const { account, awsKeys, clock } = deps;
  const { name } = account;
  if (!('awsEks' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} makes no EKS tokens`);
  }
  const config = account.config.awsEks;
  /** What went wrong last; null: nothing did. */
  let problem: Refusal | null = null;
  let subject: string | null = null;

  const renew = async (signal: AbortSignal): Promise<Obtained> => {
    const found = await signingKeys({ name, config, deps }, signal);
    problem = found.ok ? null : found;
    if (!found.ok) {
      return found;
    }
    subject = found.subject;
    const { token, issuedAt, expiresAt } = eksToken(config, found.keys, clock.now());
    return {
      ok: true,
      credential: {
        token,
        certificate: null,
        issuedAt,
        // The cluster has STS check the keys, whose end is the token’s.
        expiresAt: Math.min(expiresAt, found.expiresAt ?? Number.POSITIVE_INFINITY),
      },
    };
  };

  return {
    name,
    kind: 'awsEks',
    keepsNothing: true,
    backoff: shortBackoff,
    renewalLimitMilliseconds,
    // A token that is kept goes nowhere once its keys may not be used any more.
    current: async () => awsKeys.fault(config.account),
    renew,
    async state(): Promise<AccountState> {
      const about = { kind: 'awsEks', issuer: null, expiresAt: null } as const;
      const fault = awsKeys.fault(config.account);
      if (fault) {
        return {
          ...about,
          state: fault.reason === 'locked' ? 'locked' : 'invalid',
          subject,
          problem: fault.message,
        };
      }
      return problem
        ? { ...about, state: 'failing', subject, problem: problem.message }
        : { ...about, state: 'ready', subject, problem: null };
    },
    async examine() {
      const fault = awsKeys.fault(config.account);
      const keys = observe('account.keys');
      if (fault) {
        return [observeRefusal('account.keys', fault)];
      }
      const role = config.role === undefined ? '' : `, and takes the role ${config.role}`;
      const made = keys.ok(
        `it makes tokens for the cluster ${config.cluster} in ${config.region} of the AWS keys of ${config.account}${role}`,
      );
      return problem ? [made, keys.warning(problem.message, problem.hint ?? null)] : [made];
    },
  };
}

interface Making {
  name: string;
  config: AwsEksConfig;
  deps: AwsEksDeps;
}

type SigningKeys = { ok: true; keys: AwsKeys; expiresAt: number | null; subject: string } | Refusal;

/** The account’s keys, or those of the role that they take. `subject`: whose token it is, as far as that is known. */
async function signingKeys({ name, config, deps }: Making, signal: AbortSignal): Promise<SigningKeys> {
  const { role } = config;
  const take = async (rejected: boolean) => {
    const own = await deps.awsKeys.keys(config.account, { asker: name, rejected }, signal);
    if (!own.ok || role === undefined) {
      return own.ok ? { ...own, subject: own.keys.accessKeyId } : own;
    }
    const taken = await askSts(
      {
        action: 'AssumeRole',
        account: name,
        role,
        region: config.region,
        endpoint: config.stsEndpoint,
        sessionName: config.sessionName,
        parameters: {},
        keys: own.keys,
        proof: `the keys of ${config.account}`,
        proofHint: `look at the account ${config.account}: lanyard doctor`,
      },
      deps,
      signal,
    );
    return taken.ok ? { ...taken, subject: taken.arn ?? role } : taken;
  };
  const first = await take(false);
  return !first.ok && 'isProofOver' in first && first.isProofOver ? take(true) : first;
}
