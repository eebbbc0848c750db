/** What a random text is made of. A pair of `&name` and null gives its map that anchor. */
export type RandomValue = string | null | Plain | RandomValue[] | RandomMap;
export type RandomMap = [key: string, value: RandomValue][] & { isMap: true };

/** YAML written as it stands: `yes`, `*anchor`. */
export class Plain {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function mapOf(pairs: [string, RandomValue][]): RandomMap {
  return Object.assign([...pairs], { isMap: true as const });
}

function isMap(value: RandomValue): value is RandomMap {
  return Array.isArray(value) && 'isMap' in value;
}

/** Text that no reader of YAML takes for anything else, unquoted. */
const harmless = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[A-Za-z][A-Za-z0-9-]*$/i;

/** Writes a value as YAML in one of its many ways. */
export function writeYaml(value: RandomValue, random: () => number): string {
  const chance = (share: number) => random() < share;
  const scalar = (text: string, pad: string | null): string => {
    if (harmless.test(text) && chance(0.6)) {
      return text;
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those can't be in single quotes
    if (chance(0.4) && !/[\0-\x1f\x7f]/.test(text)) {
      return `'${text.replaceAll("'", "''")}'`;
    }
    if (pad !== null && chance(0.5) && /^[!-~][ -~]*(\n[!-~][ -~]*)+$/.test(text)) {
      return `|-\n${text
        .split('\n')
        .map((line) => `${pad}  ${line}`)
        .join('\n')}`;
    }
    return JSON.stringify(text);
  };
  const flow = (each: RandomValue): string => {
    if (each === null) {
      return chance(0.5) ? '~' : 'null';
    }
    if (each instanceof Plain) {
      return each.text;
    }
    if (typeof each === 'string') {
      return scalar(each, null);
    }
    if (isMap(each)) {
      const anchor = anchorOf(each);
      const pairs = pairsOf(each).map(([key, part]) => `${keyText(key, part, scalar)}: ${flow(part)}`);
      return `${anchor}{${pairs.join(', ')}}`;
    }
    return `[${each.map(flow).join(chance(0.5) ? ', ' : ' , ')}]`;
  };
  const block = (each: RandomValue, pad: string): string => {
    const comment = chance(0.08) ? ' # a comment: with {things}' : '';
    if (each === null || each instanceof Plain || typeof each === 'string') {
      const text = each === null ? (chance(0.5) ? '' : '~') : leaf(each, pad);
      return ` ${text}${text.startsWith('|') ? '' : comment}\n`;
    }
    if (each.length === 0 || pairsOf(each).length === 0 || chance(0.1)) {
      return ` ${flow(each)}${comment}\n`;
    }
    if (isMap(each)) {
      const lines = pairsOf(each).map(([key, part]) => {
        const deeper = Array.isArray(part) && !isMap(part) && chance(0.5) ? pad : `${pad}  `;
        return `${pad}${keyText(key, part, scalar)}:${block(part, deeper)}`;
      });
      const anchor = anchorOf(each);
      return `${anchor === '' ? '' : ` ${anchor.trim()}`}${comment}\n${lines.join('')}`;
    }
    return `${comment}\n${each.map((part) => item(part, pad)).join('')}`;
  };
  const leaf = (each: string | Plain, pad: string) => (each instanceof Plain ? each.text : scalar(each, pad));
  const item = (part: RandomValue, pad: string): string => {
    const text = block(part, `${pad}  `);
    // A map may begin on the dash's line.
    return isMap(part) && text.startsWith(`\n${pad}  `) && chance(0.8)
      ? `${pad}- ${text.slice(pad.length + 3)}`
      : `${pad}-${text}`;
  };
  return block(value, '').trimStart();
}

function keyText(key: string, value: RandomValue, scalar: (text: string, pad: null) => string): string {
  return key === '<<' && value instanceof Plain ? key : scalar(key, null);
}

function anchorOf(map: RandomMap): string {
  const anchor = map.find(isAnchor);
  return anchor ? `${anchor[0]} ` : '';
}

function pairsOf(value: RandomValue[] | RandomMap): [string, RandomValue][] {
  return isMap(value) ? value.filter((pair) => !isAnchor(pair)) : value.map((each) => ['', each]);
}

function isAnchor([key, value]: [string, RandomValue]): boolean {
  return key.startsWith('&') && value === null;
}
