import { awsKeyKinds, signerKinds } from '../contract/config/signer-kinds.ts';
import { isMapping } from './is-mapping.ts';

/** A fault of a step that signs; `key`: of the step. */
export interface SignFault {
  key: 'sign' | 'service' | 'region' | 'credentials';
  text: string;
}

/** Whether an account has AWS keys. `account`: as it is written. */
export function hasAwsKeys(account: Record<string, unknown>): boolean {
  return awsKeyKinds.some((kind) => Object.hasOwn(account, kind));
}

/** Whether an account signs requests, and has nothing else to give. `account`: as it is written. */
export function signsOnly(account: unknown): boolean {
  return isMapping(account) && signerKinds.some((kind) => Object.hasOwn(account, kind));
}

/**
 * What a step that signs can’t do with its account: AWS keys sign for a service and a region, a program for itself. Null:
 * it can. `step`, `account`: as they are written; `name`: the account’s, as messages show it.
 */
export function signFault(step: Record<string, unknown>, name: string, account: unknown): SignFault | null {
  if (!isMapping(account)) {
    return null;
  }
  const said = (key: string) => step[key] !== undefined && step[key] !== null;
  if (Object.hasOwn(account, 'requestSigner')) {
    const key = (['service', 'region'] as const).find(said);
    return key ? { key, text: `goes with AWS keys; ${name} is a program` } : null;
  }
  if (!signsOnly(account)) {
    const text = `${name} can’t sign: a step that signs takes an account of kind aws, awsProcess or requestSigner`;
    return { key: 'sign', text };
  }
  const missing = (['service', 'region'] as const).find((key) => !said(key));
  if (missing) {
    return {
      key: missing,
      text: `AWS keys sign for one service in one region: name the ${missing}, as in service: execute-api, region: eu-west-1`,
    };
  }
  return step['credentials'] === true
    ? { key: 'credentials', text: `goes with a program; ${name} has AWS keys` }
    : null;
}

/** Why a proxied cluster can’t have this account as its own; null: it can. `chain`: as it is written. */
export function unusedSigner(name: string, account: unknown, chain: readonly unknown[]): string | null {
  const isUsed = chain.some((step) => isMapping(step) && step['sign'] === name);
  return signsOnly(account) && !isUsed
    ? `${name} signs requests, and gives no other credential: add a step to the chain, sign: ${name}`
    : null;
}
