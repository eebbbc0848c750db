import type { Readable } from 'node:stream';

/** A line, in characters; what is longer is dropped. */
const longestLine = 8 * 1024 * 1024;

/** Calls `take` with each line of what one of Lanyard’s own programs prints. */
export function readLines(from: Readable, take: (line: string) => void): void {
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) {
      rest = '';
    }
    lines.forEach(take);
  });
}
