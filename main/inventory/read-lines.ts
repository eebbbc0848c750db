import { hubLimits } from './hub-limits.ts';
import { SourceFault } from './source-fault.ts';

const lineFeed = 10;

/**
 * The lines of an answer, each at most `limitBytes` long (rule: bounded-input). What follows the last line feed is left out: a line that
 * broke off. Throws SourceFault `tooLarge`, after which only a list is of use.
 */
export async function* readLines(
  pieces: AsyncIterable<Buffer>,
  limitBytes: number = hubLimits.lineBytes,
): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let start = 0;
    for (;;) {
      const end = piece.indexOf(lineFeed, start);
      const part = piece.subarray(start, end === -1 ? undefined : end);
      length += part.length;
      if (length > limitBytes) {
        throw new SourceFault('tooLarge', `the hub sent an event of more than ${limitBytes} bytes`, {
          goingOn: 'list',
        });
      }
      begun.push(part);
      if (end === -1) {
        break;
      }
      const line = begun.length === 1 ? part : Buffer.concat(begun, length);
      yield line.toString('utf8');
      begun = [];
      length = 0;
      start = end + 1;
    }
  }
}
