import { type ParsedFrame, parseHelperFrame } from './frame-codec.ts';

/** So many different hellos are remembered: a kubeconfig's users and clusters, each of a few kilobytes. */
const remembered = 64;
const longestBytes = 64 * 1024;

/**
 * Reads first frames. A client's helper says the same words each time: the same bytes give the same object, so that who
 * reads the request in it can remember what it read by that. Nobody may change it. A hello holds no secret.
 */
export function createHelloMemory(): (json: Buffer) => ParsedFrame {
  const known = new Map<string, ParsedFrame>();
  return (json) => {
    const key = json.toString('latin1');
    const before = known.get(key);
    if (before) {
      return before;
    }
    const parsed = parseHelperFrame(json);
    if (parsed.ok && parsed.frame.kind === 'hello' && json.length <= longestBytes) {
      if (known.size >= remembered) {
        known.clear();
      }
      known.set(key, parsed);
    }
    return parsed;
  };
}
