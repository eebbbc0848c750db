import type { AccountKind } from './accounts/account.ts';

/** Accounts that have AWS keys. */
export const awsKeyKinds = ['aws', 'awsProcess'] as const satisfies readonly AccountKind[];

/** Accounts that sign requests, and have nothing to send in a header. A step’s `sign` names one. */
export const signerKinds = [...awsKeyKinds, 'requestSigner'] as const satisfies readonly AccountKind[];
