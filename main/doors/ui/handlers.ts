import type { z } from 'zod';
import type { CallName, uiCalls } from '../../contract/ui/calls/index.ts';

type Specs = typeof uiCalls;
type Parsed<Name extends CallName> = z.output<Specs[Name]['input']>;
type Given<Name extends CallName> = z.input<Specs[Name]['output']>;
type Progress<Name extends CallName> = Specs[Name] extends { progress: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : never;

/** What a call has beside its input. */
export interface CallContext<Value> {
  /** Aborts when the page doesn't want the answer any more, or is gone. */
  signal: AbortSignal;
  /** The app itself asks (a click in the tray, a notification), and no page, which could have been taken over. */
  isOwn?: true | undefined;
  progress(value: Value): void;
}

/** Answers one call; throws BrokerError for what the page is to show as a failure. */
export type UiHandler<Name extends CallName> = (
  input: Parsed<Name>,
  context: CallContext<Progress<Name>>,
) => Promise<Given<Name>>;

/** An answer for each call of the contract. */
export type UiHandlers = { readonly [Name in CallName]: UiHandler<Name> };
