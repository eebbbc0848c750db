import { expect, test } from 'vitest';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { RequestProxyControl, type RequestProxyDeps } from './request-proxy.ts';

const caller = { pid: 1, startTime: '1', executable: null };

// (rule: way-in)
test.each(['darwin', 'win32'] as const)('on %s gives no way in, and says why', async (platform) => {
  const control = new RequestProxyControl({ platform } as RequestProxyDeps);
  await expect(control.wayIn({ name: 'prod' } as LoadedCluster, caller)).rejects.toMatchObject({
    code: 'proxy.system',
    reason: 'notPermitted',
    hint: expect.stringContaining('leave proxy out of prod'),
  });
});
