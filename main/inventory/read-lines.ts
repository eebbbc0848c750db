import { GatheredBytes } from '../base/gathered-bytes.ts';
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
  const begun = new GatheredBytes();
  for await (const piece of pieces) {
    let start = 0;
    for (;;) {
      const end = piece.indexOf(lineFeed, start);
      const part = piece.subarray(start, end === -1 ? undefined : end);
      if (begun.length + part.length > limitBytes) {
        throw new SourceFault('tooLarge', `the hub sent an event of more than ${limitBytes} bytes`, {
          goingOn: 'list',
        });
      }
      if (end === -1) {
        begun.add(part);
        break;
      }
      let line = part;
      if (begun.length > 0) {
        begun.add(part);
        line = begun.take();
      }
      yield line.toString('utf8');
      start = end + 1;
    }
  }
}
