import type { CallInput, CallName, CallOutput, CallProgress } from '../../main/contract/ui/calls/index.ts';
import type { SampleWorld } from './sample-world.ts';

/** A call in the invented world. */
export interface SampleCall<Name extends CallName> {
  world: SampleWorld;
  progress(value: CallProgress<Name>): void;
  /** Resolves after this time. Never resolves if the page has cancelled the call. */
  wait(milliseconds: number): Promise<void>;
  /** Runs if the page cancels the call. */
  onCancel(run: () => void): void;
}

/** A handler for every call of the contract. The types report a missing one. */
export type SampleHandlers = {
  readonly [Name in CallName]: (
    input: CallInput<Name>,
    call: SampleCall<Name>,
  ) => CallOutput<Name> | Promise<CallOutput<Name>>;
};

/** The handlers of one area's file. */
export type SomeHandlers = Partial<SampleHandlers>;

/** A handler's denial, which the page shows like one of the broker's. */
export class SampleRefusal extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
