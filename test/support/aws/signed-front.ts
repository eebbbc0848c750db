import { type Front, startFront } from '../fronts/front.ts';
import { type ReceivedRequest, receivedRequest } from './signed-request.ts';
import { type SignatureRules, type Verify, verifyAsApiGateway, verifyAsLattice } from './verdicts.ts';

/**
 * A service of AWS’s in front of a cluster: it verifies each request’s signature (verdicts.ts), and passes what is
 * well signed on as a front proxy does, with a credential of its own in `Authorization`. HTTP/2 and HTTP/1.1. API Gateway
 * reads a body before it judges, Lattice streams it. Unlike both, it passes WebSocket and SPDY on, so that streams are
 * signed, too.
 */
export interface SignedFront extends Front {
  /** What passed, in order. */
  readonly passed: readonly ReceivedRequest[];
  /** May be changed at any time. */
  rules: SignatureRules;
}

const services = {
  apiGateway: { verify: verifyAsApiGateway, service: 'execute-api', keepsBody: true },
  lattice: { verify: verifyAsLattice, service: 'vpc-lattice-svcs', keepsBody: false },
} as const satisfies Record<string, { verify: Verify; service: string; keepsBody: boolean }>;

export type SignedService = keyof typeof services;

/** What `Credential` has to name. */
export function serviceName(service: SignedService): string {
  return services[service].service;
}

/** `token`: what the front itself shows to the cluster. */
export async function startSignedFront(
  service: SignedService,
  behind: { server: string; caPem: string; token: string },
  rules: SignatureRules,
): Promise<SignedFront> {
  const passed: ReceivedRequest[] = [];
  const { verify, keepsBody } = services[service];
  const front = await startFront(
    behind,
    async ({ authorization: _, ...headers }, request, body) => {
      const received = receivedRequest(request);
      const refusal = await verify(received, body, started.rules);
      if (refusal !== null) {
        return refusal;
      }
      passed.push(received);
      return { passes: { ...headers, authorization: `Bearer ${behind.token}` } };
    },
    { keepsBody, upgrades: ['websocket', 'spdy/3.1'] },
  );
  const started: SignedFront = { ...front, passed, rules };
  return started;
}
