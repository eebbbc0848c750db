import { awsKeyKinds } from '../contract/config/signer-kinds.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Target } from '../domain/target/target.ts';
import type { Grants } from '../grants/grants.ts';
import { ownRequest } from '../grants/own-request.ts';
import type { Account } from '../ports/account.ts';
import type { AwsKeySource } from '../ports/aws-key-source.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';

export interface AwsKeySourceDeps {
  gate: Gate;
  directory: Pick<Directory, 'account'>;
  grants: Pick<Grants, 'obtain' | 'renewNow'>;
}

/** Gives accounts the AWS keys of other accounts, by their grants: a hundred clusters of one login run one program. */
export function createAwsKeySource({ gate, directory, grants }: AwsKeySourceDeps): AwsKeySource {
  const find = (name: string): { ok: true; account: Account } | Refusal => {
    const found = gate() ?? directory.account(name);
    if (!found.ok) {
      return found;
    }
    const { kind } = found.account;
    // So no account’s keys are made of its own: neither kind takes another account’s.
    return awsKeyKinds.some((each) => each === kind) ? found : noKeys(name);
  };
  return {
    fault(name) {
      const found = find(name);
      return found.ok ? null : found;
    },
    async keys(name, { asker, rejected }, signal) {
      const found = find(name);
      if (!found.ok) {
        return found;
      }
      const target = targetOf(asker, name);
      const renewed = rejected ? await grants.renewNow(found.account, target, signal) : null;
      if (renewed?.ok === false) {
        return renewed;
      }
      const granted = await grants.obtain(found.account, ownRequest(target, signal));
      if (!granted.ok) {
        return granted;
      }
      // That took time: Lanyard may be locked now, or the account may be another.
      const again = find(name);
      if (!again.ok) {
        return again;
      }
      if (again.account !== found.account) {
        return refuse('notPermitted', 'aws.changed', `${name} has changed meanwhile`, 'try again');
      }
      const { awsKeys, expiresAt } = granted.grant.credential;
      return awsKeys ? { ok: true, keys: awsKeys, expiresAt } : noKeys(name);
    },
  };
}

function noKeys(name: string): Refusal {
  return refuse(
    'notPermitted',
    'aws.noKeys',
    `${name} has no AWS keys`,
    'name an account of kind aws or awsProcess',
  );
}

/** The account that the keys are for, as what a grant is asked for. */
function targetOf(asker: string, account: string): Target {
  return {
    kind: 'account',
    name: asker,
    account,
    audience: null,
    shape: '',
    approval: 'never',
    address: '',
    cluster: null,
  };
}
