import type { PageFiles } from '../../main/doors/ui/web/page-files.ts';
import { desktopPageHeaders } from '../../main/doors/ui/web/page-headers.ts';
import { pagesOrigin } from './index.ts';

/**
 * Answers the window's requests under `app://lanyard/`. Compares the complete address with those of the built files.
 * So no path can leave the folder, and any other host, query or name is unknown.
 */
export function createPageHandler(files: PageFiles): (request: Request) => Response {
  const headers = desktopPageHeaders();
  const refusal = (status: number, text: string, more: Record<string, string> = {}) =>
    new Response(`${text}\n`, {
      status,
      headers: { ...headers, ...more, 'content-type': 'text/plain; charset=utf-8' },
    });
  return ({ method, url }) => {
    if (method !== 'GET') {
      return refusal(405, 'only GET', { allow: 'GET' });
    }
    const [address = ''] = url.split('#', 1);
    const file = address.startsWith(`${pagesOrigin}/`)
      ? files.get(address.slice(pagesOrigin.length))
      : undefined;
    if (!file) {
      return refusal(404, 'nothing is here');
    }
    return new Response(new Uint8Array(file.body), {
      headers: { ...headers, 'content-type': file.type, 'content-length': `${file.body.length}` },
    });
  };
}
