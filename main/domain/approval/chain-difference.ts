import { parseJson } from '../../base/parse-json.ts';
import { impersonationWords } from '../proxy/chain-words.ts';
import { visibleText } from '../text/visible-text.ts';
import type { ShapeValue } from './cluster-shape.ts';

/**
 * A line for each step of a chain (domain/proxy/chain.ts) that is not at its place in the other, with its number:
 * order counts. `applied`: ends each line.
 */
export function chainDifference(
  before: ShapeValue | undefined,
  now: ShapeValue | undefined,
  applied: string,
): string[] {
  const [old, next] = [stepsOf(before), stepsOf(now)];
  const lines = Array.from({ length: Math.max(old.length, next.length) }, (_, at) => {
    const line = (sign: string, step: string | undefined) =>
      step === undefined || old[at] === next[at]
        ? []
        : [`${sign} proxy step ${at + 1}: ${visibleText(stepLine(step), Infinity)}${applied}`];
    return { removed: line('-', old[at]), added: line('+', next[at]) };
  });
  return [...lines.flatMap(({ removed }) => removed), ...lines.flatMap(({ added }) => added)];
}

function stepsOf(value: ShapeValue | undefined): readonly string[] {
  return Array.isArray(value) ? value : [];
}

/** As `stepText` has it; an impersonation without its JSON. */
function stepLine(step: string): string {
  const [, impersonation] = /^impersonate (\{.*\})$/.exec(step) ?? [];
  const read = impersonation === undefined ? undefined : parseJson(impersonation);
  return read === undefined ? step : `impersonate ${impersonationWords(read as object)}`;
}
