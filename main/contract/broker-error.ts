import { type Refusal, type RefusalReason, refuse } from './refusal.ts';

/**
 * An unexpected outcome, or one that crosses several layers. `code` is stable and dotted, `message` is lower case and
 * without secrets, `cause` is for the log. `reason` is `internal` by default.
 */
export class BrokerError extends Error {
  readonly code: string;
  readonly reason: RefusalReason;
  readonly hint: string | undefined;

  constructor(
    code: string,
    message: string,
    options: { reason?: RefusalReason; hint?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'BrokerError';
    this.code = code;
    this.reason = options.reason ?? 'internal';
    this.hint = options.hint;
  }

  toRefusal(): Refusal {
    return refuse(this.reason, this.code, this.message, this.hint);
  }
}

/** A refusal as an error to throw. */
export function refusalError({ code, message, reason, hint }: Refusal): BrokerError {
  return new BrokerError(code, message, { reason, ...(hint !== undefined && { hint }) });
}

/**
 * Any thrown value as a refusal. Anything but a BrokerError becomes `internal`, without its details
 * (rule: distinct-refusals).
 */
export function toRefusal(error: unknown): Refusal {
  return error instanceof BrokerError
    ? error.toRefusal()
    : refuse('internal', 'internal', 'something went wrong inside lanyard', 'see the log for details');
}
