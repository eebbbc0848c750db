import { visibleText } from '../../../domain/text/visible-text.ts';
import type { RequestProxy } from '../../../ports/request-proxy.ts';

/** What the request proxy can’t do, a line each. */
export function faultLines(faults: ReturnType<RequestProxy['faults']>): string[] {
  return faults.map(
    ({ cluster, text }) => `request proxy: ${cluster === null ? '' : `${cluster}: `}${visibleText(text)}`,
  );
}
