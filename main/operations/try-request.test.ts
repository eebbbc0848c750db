import { expect, test, vi } from 'vitest';
import { type TryRequestDeps, tryRequest } from './try-request.ts';

test.each(['/../b', '/a%2f..%2fb', 'a/..;/b', '..\\..\\b'])(
  'a way out of the server’s path is not sent: %s',
  async (path) => {
    const asks = vi.fn();
    const deps = { requestProxy: { try: asks } } as unknown as TryRequestDeps;
    const tried = await tryRequest(deps, 'prod', path, new AbortController().signal);
    expect(tried).toMatchObject({
      ok: false,
      code: 'proxy.path',
      message: expect.stringMatching(/dot segments/),
    });
    expect(asks).not.toHaveBeenCalled();
  },
);
