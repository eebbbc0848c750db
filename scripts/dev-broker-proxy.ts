import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { ProxyOptions } from 'vite';
import { judgeUpgrade } from '../main/doors/ui/web/request-rules.ts';
import { loadAddon } from '../main/platform/native/addon.ts';
import { openKernelTcpTable } from '../main/platform/native/kernel-tcp-table.ts';
import { createSystemClock } from '../main/platform/native/system-clock.ts';
import { createPeerLookup, lookingUser } from '../main/platform/network/peer-user.ts';
import { repository } from './dev-home.ts';

/**
 * Hands a WebSocket on as if the broker's own page had opened it. The broker sees this server's Host, Origin and user in
 * place of the caller's, so the broker's own checks are made here first (rule: guarded-loopback). `host` is this server's
 * HOST:PORT, once it is known.
 */
export function toBroker(broker: URL, host: () => string): ProxyOptions {
  const addon = loadAddon(join(repository, 'dist', 'native', 'lanyard.node'));
  const lookUpPeer = createPeerLookup({
    kernel: openKernelTcpTable(addon),
    clock: createSystemClock(addon),
    uid: lookingUser(),
  });
  const mayPass = async ({ method, headers, socket }: IncomingMessage) =>
    judgeUpgrade({ method, path: '/', headers }, host()) === null && (await lookUpPeer(socket)) !== 'foreign';
  return {
    target: broker.origin,
    ws: true,
    changeOrigin: true,
    headers: { origin: broker.origin },
    rewrite: () => '/',
    // There is a response where a request is no upgrade.
    bypass: async (request, response) =>
      response === undefined && (await mayPass(request)) ? undefined : false,
  };
}
