import { type Document, isScalar, isSeq } from 'yaml';
import { lookUp, mapOf } from './pairs.ts';

/** The command word that every entry of Lanyard's runs its helper with. */
const commandWord = 'kube-credential';

/** True for an `exec` that runs Lanyard's helper: its arguments are names, no secrets. */
export function isOwnExec(node: unknown, document: Document): boolean {
  const map = mapOf(node, document);
  const args = map ? lookUp(map, 'args', document) : null;
  const first: unknown = isSeq(args) ? args.items[0] : null;
  const command = map ? lookUp(map, 'command', document) : null;
  const path = isScalar(command) && typeof command.value === 'string' ? command.value : '';
  return isScalar(first) && first.value === commandWord && /(?:^|[\\/])lanyard(?:\.exe)?$/.test(path);
}
