import type { z } from 'zod';
import type { CallName, uiCalls } from '../../contract/ui/calls/index.ts';

type Specs = typeof uiCalls;
type Parsed<Name extends CallName> = z.output<Specs[Name]['input']>;
type Given<Name extends CallName> = z.input<Specs[Name]['output']>;
type Progress<Name extends CallName> = Specs[Name] extends { progress: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : never;

/** What a handler gets beside its input. */
export interface CallContext<Value> {
  /** Aborts when the page cancels the call or disconnects. */
  signal: AbortSignal;
  /** The call is from the app itself (the tray, a notification). A page could have been taken over. */
  isOwn?: true | undefined;
  progress(value: Value): void;
}

/** Handles one call. Throws BrokerError for a failure that the page shows. */
export type UiHandler<Name extends CallName> = (
  input: Parsed<Name>,
  context: CallContext<Progress<Name>>,
) => Promise<Given<Name>>;

/** A handler for each call of the contract. */
export type UiHandlers = { readonly [Name in CallName]: UiHandler<Name> };
