import type { Tree } from './tree.ts';

/** As go-yaml 2 has them, which client-go reads YAML with: YAML 1.1, without numbers to the base of 60. */
const bools = /^(?:[yY]|yes|Yes|YES|true|True|TRUE|on|On|ON|[nN]|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const nulls = /^(?:|~|null|Null|NULL)$/;
const noJson = /^(?:\.nan|\.NaN|\.NAN|[-+]?(?:\.inf|\.Inf|\.INF))$/;
const integer = /^[-+]?(?:0[xX][0-9a-fA-F]{1,16}|0[oO]?[0-7]{1,21}|0[bB][01]{1,64})$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** What a scalar says that has neither quotes nor a tag; null: what no JSON can say, which is an error. */
export function plainScalar(text: string): Tree | null {
  if (noJson.test(text)) {
    return null;
  }
  const kind = nulls.test(text) ? 'null' : bools.test(text) ? 'bool' : isNumber(text) ? 'number' : 'string';
  return kind === 'string' ? { kind, value: text } : { kind };
}

function isNumber(text: string): boolean {
  // Only there are its underscores none.
  const digits = /^[-+0-9]/.test(text) ? text.replaceAll('_', '') : text;
  return integer.test(digits) || (float.test(digits) && Number.isFinite(Number(digits)));
}
