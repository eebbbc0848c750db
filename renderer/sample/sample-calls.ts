import type { CallInput, CallName, CallOutput, CallProgress } from '../../main/contract/ui/calls/index.ts';
import type { SampleWorld } from './sample-world.ts';

/** One call under way in the invented world. */
export interface SampleCall<Name extends CallName> {
  world: SampleWorld;
  progress(value: CallProgress<Name>): void;
  /** Resolves after a while; never, where the page doesn't want the answer any more. */
  wait(milliseconds: number): Promise<void>;
  /** Runs when the call ends by the page's wish. */
  onCancel(run: () => void): void;
}

/** An answer to every call of the contract: a call that is new there is missing here until it has one. */
export type SampleHandlers = {
  readonly [Name in CallName]: (
    input: CallInput<Name>,
    call: SampleCall<Name>,
  ) => CallOutput<Name> | Promise<CallOutput<Name>>;
};

/** The answers to some calls: what each area's file says that it is. */
export type SomeHandlers = Partial<SampleHandlers>;

/** A handler's refusal: the page shows it as one of the broker's. */
export class SampleRefusal extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
