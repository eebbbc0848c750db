import { readFileSync } from 'node:fs';
import type { Disposables } from '../base/disposables.ts';
import { RequestProxyControl } from '../proxy/request-proxy.ts';
import { RequestRecord } from '../proxy/request-record.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Credentials } from './credentials.ts';
import type { Locking } from './locking.ts';
import type { Records } from './records.ts';

/** The request proxy, which clients of proxied clusters are served by. */
export function createRequestProxy(
  { proxyProgram, vault, history, clock, log, identity, processes, environment, paths }: BrokerDeps,
  { recorder, metrics }: Records,
  { directory, grants, signers, tokens }: Credentials,
  { lock }: Locking,
  later: { onMoved(): void },
  disposables: Disposables,
): RequestProxyControl {
  const observer = disposables.add(new RequestRecord({ history, metrics: metrics.proxy, clock, log }));
  return disposables.add(
    new RequestProxyControl({
      program: proxyProgram,
      platform: process.platform,
      vault,
      directory,
      grants,
      // Not the idle lock’s: a program that asks by itself must not keep Lanyard open.
      gate: () => lock.gate(),
      recorder,
      observer,
      clock,
      log,
      identity,
      processes,
      environment,
      signers,
      heldKeys: tokens,
      clientsFile: paths.proxyClients,
      socketFolder: paths.proxySockets,
      ephemeralPorts,
      onMoved: () => later.onMoved(),
    }),
  );
}

/** Linux; elsewhere the usual range counts. */
function ephemeralPorts(): string | null {
  try {
    return readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
  } catch {
    return null;
  }
}
