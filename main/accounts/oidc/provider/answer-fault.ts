const codes = {
  malformed: 'OAUTH_INVALID_RESPONSE',
  unsupported: 'OAUTH_UNSUPPORTED_OPERATION',
  expired: 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
} as const;

/** An answer that Lanyard can't use. It has openid-client's codes (provider-problem.ts). */
export class AnswerFault extends Error {
  readonly code: (typeof codes)[keyof typeof codes];
  /** Null: no single one is the reason. */
  readonly field: string | null;
  readonly isMissing: boolean;

  constructor(kind: keyof typeof codes, field: string | null, isMissing = false) {
    super(`the provider’s answer is ${kind}`);
    this.code = codes[kind];
    this.field = field;
    this.isMissing = isMissing;
  }
}
