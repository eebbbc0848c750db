import type { Tree } from './tree.ts';

/** As go-yaml 2 has them, which client-go reads YAML with: YAML 1.1, without numbers to the base of 60. */
const trues = /^(?:[yY]|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const falses = /^(?:[nN]|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const nulls = /^(?:|~|null|Null|NULL)$/;
const noJson = /^(?:\.nan|\.NaN|\.NAN|[-+]?(?:\.inf|\.Inf|\.INF))$/;
const integer = /^[-+]?(?:0[xX][0-9a-fA-F]{1,16}|0[oO]?[0-7]{1,21}|0[bB][01]{1,64})$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** What a scalar says that has neither quotes nor a tag; null: what no JSON can say, which is an error. */
export function plainScalar(text: string): Tree | null {
  if (noJson.test(text)) {
    return null;
  }
  if (nulls.test(text)) {
    return { kind: 'null' };
  }
  if (trues.test(text) || falses.test(text)) {
    return { kind: 'bool', value: trues.test(text) };
  }
  return isNumber(text) ? { kind: 'number', text } : { kind: 'string', value: text };
}

function isNumber(text: string): boolean {
  // Only there are its underscores none.
  const digits = /^[-+0-9]/.test(text) ? text.replaceAll('_', '') : text;
  return integer.test(digits) || (float.test(digits) && Number.isFinite(Number(digits)));
}
