import { z } from 'zod';
import { accountKinds } from '../../main/contract/config/accounts/account.ts';
import { callClasses, callOutcomes } from '../../main/contract/doors.ts';
import { uiCalls } from '../../main/contract/ui/calls/index.ts';
import { stateSections } from '../../main/contract/ui/state.ts';

/** Texts of the validator: they name types and rules, not what to type. */
const validatorTexts =
  /Invalid (input|option|string|key|element|value)|expected (string|number|object|array|boolean|record), received|Too (small|big):|must match pattern|\[object \w+\]|\bundefined\b|\bNaN\b/;

/** Names of the contract that are no words: `loginNeeded`. Those that are one word of English can’t be told from texts. */
function contractNames(): ReadonlySet<string> {
  const found = new Set<string>([
    ...callClasses,
    ...callOutcomes,
    ...Object.keys(accountKinds),
    // Of config.yaml’s texts, which are no enums.
    'perTerminal',
  ]);
  const seen = new Set<unknown>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) {
      return;
    }
    seen.add(part);
    if (part instanceof z.ZodEnum) {
      for (const value of part.options) {
        found.add(String(value));
      }
    }
    if (part instanceof z.ZodLiteral) {
      for (const value of part.values) {
        found.add(String(value));
      }
    }
    if (part instanceof z.ZodType) {
      look(part.def);
      return;
    }
    for (const each of Object.values(part)) {
      look(each);
    }
  };
  look(stateSections);
  look(uiCalls);
  return new Set([...found].filter((name) => /^[a-z]+[A-Z]/.test(name)));
}

const names = contractNames();

/** The lines of a text that are none for users, cut. */
export function rawWordsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const words = line.match(/[A-Za-z]+/g) ?? [];
    const isRaw = validatorTexts.test(line) || words.some((word) => names.has(word));
    return isRaw ? [line.trim().slice(0, 160)] : [];
  });
}
