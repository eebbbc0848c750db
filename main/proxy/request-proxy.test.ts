import { expect, test } from 'vitest';
import { cluster } from '../contract/config/cluster.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { RequestProxyControl, type RequestProxyDeps } from './request-proxy.ts';

const caller = { pid: 1, startTime: '1', executable: null };

// (rule: way-in)
test('makes no request to a cluster that asks before a credential goes to it', async () => {
  const config = cluster.parse({ server: 'https://prod', account: 'a', proxy: {}, approval: 'always' });
  const loaded = { name: 'prod', config, certificateAuthorityPem: null };
  const control = new RequestProxyControl({
    gate: () => null,
    directory: { cluster: () => ({ ok: true, cluster: loaded }) },
  } as unknown as RequestProxyDeps);
  expect(await control.try('prod', '/version', AbortSignal.timeout(1_000))).toMatchObject({
    ok: false,
    code: 'proxy.asks',
  });
});

// (rule: way-in)
test.each(['darwin', 'win32'] as const)('on %s gives no way in, and says why', async (platform) => {
  const control = new RequestProxyControl({ platform } as RequestProxyDeps);
  await expect(control.wayIn({ name: 'prod' } as LoadedCluster, caller)).rejects.toMatchObject({
    code: 'proxy.system',
    reason: 'notPermitted',
    hint: expect.stringContaining('leave proxy out of prod'),
  });
});
