import { visibleText } from '../../domain/text/visible-text.ts';

const longest = 512;
/** `proxy` of a pod, service or node: what follows is a path of the program there, which may hold anything. */
const proxied = /^(\/api\/v1\/(?:namespaces\/[^/]+\/(?:pods|services)|nodes)\/[^/]+\/proxy\/).+$/s;

/** A request’s path as it is recorded: without a query, visible, short. */
export function recordedPath(path: string): string {
  const [plain = ''] = path.split(/[?#]/);
  const visible = visibleText(plain.replace(proxied, '$1…'), longest);
  // An escape is longer than what it stands for.
  return visible.length > longest ? `${visible.slice(0, longest)}…` : visible;
}
