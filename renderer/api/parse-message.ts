import { type CallName, callSpec } from '../../main/contract/ui/calls/index.ts';
import { type BrokerMessage, brokerMessage, type StateEntry } from '../../main/contract/ui/messages.ts';
import { stateSections } from '../../main/contract/ui/state.ts';

/** As much of a message as this page knows. `strange`: it doesn’t know all of it, so one of the two is newer. */
export interface ParsedMessage {
  message: BrokerMessage;
  strange: boolean;
}

/**
 * Parses a message of another build’s broker. `nameOf`: the call that has the number; null: none waits for it. The answer
 * is null for what this page doesn’t know.
 */
export function parseMessage(value: unknown, nameOf: (id: number) => CallName | null): ParsedMessage | null {
  const { success, data: message } = brokerMessage.safeParse(value);
  if (!success) {
    return null;
  }
  if (message.kind === 'snapshot' || message.kind === 'delta') {
    const entries = message.entries.map(parseEntry).filter((entry) => entry !== null);
    return { message: { ...message, entries }, strange: entries.length < message.entries.length };
  }
  const name = nameOf(message.id);
  if (name === null || message.kind === 'failed') {
    return { message, strange: false };
  }
  const spec = callSpec(name);
  if (message.kind === 'reply') {
    const output = spec?.output.safeParse(message.output);
    return output?.success ? { message: { ...message, output: output.data }, strange: false } : null;
  }
  const parsed = spec?.progress?.safeParse(message.value);
  return parsed?.success ? { message: { ...message, value: parsed.data }, strange: false } : null;
}

/** Null: it doesn’t fit its schema. A section that this page doesn’t know is left out where the state is kept. */
function parseEntry(entry: StateEntry): StateEntry | null {
  const [section, key, value] = entry;
  if (value === null || !Object.hasOwn(stateSections, section)) {
    return entry;
  }
  const { success, data } = stateSections[section as keyof typeof stateSections].safeParse(value);
  return success ? [section, key, data] : null;
}
