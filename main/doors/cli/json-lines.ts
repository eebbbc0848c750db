import { BrokerError } from '../../contract/broker-error.ts';
import { plainJson } from '../../domain/text/plain-json.ts';
import type { DoorAnswer } from '../../ports/door.ts';
import { type CommandCall, done } from './command.ts';

/** A piece is sent once it has so many characters: a frame takes a few times as much (contract/frames.ts). */
const pieceCharacters = 1024 * 1024;

/**
 * One JSON document with an entry a line, in pieces: `head`, the entries, `tail`. Throws BrokerError `cli.oldHelper` where
 * the helper can’t pass on pieces, and it is more than one; `narrower` says how to ask for less.
 */
export function jsonLines(
  call: CommandCall,
  {
    head,
    entries,
    tail,
    narrower,
  }: { head: string; entries: Iterable<unknown>; tail: string; narrower: string },
): DoorAnswer {
  let piece = head;
  let separator = '';
  for (const entry of entries) {
    if (piece.length > pieceCharacters) {
      if (!call.terminal.writeStdout(piece)) {
        throw new BrokerError('cli.oldHelper', 'the helper is too old to pass on so much', {
          reason: 'usage',
          hint: narrower,
        });
      }
      piece = '';
    }
    piece += separator + plainJson(JSON.stringify(entry));
    separator = ',\n';
  }
  return done(piece + tail);
}
