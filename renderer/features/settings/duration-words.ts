const units: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day' };

/** A duration of config.yaml in words: `90d` is “90 days”. Another text stays as it is. */
export function durationWords(text: string): string {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  const word = units[unit];
  return word === undefined ? text : `${count} ${word}${count === '1' ? '' : 's'}`;
}
