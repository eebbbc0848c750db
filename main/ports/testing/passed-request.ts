import type { PassedRequest } from '../request-proxy.ts';

/** kubectl has read pods through the request proxy. */
export function passedRequest(fields: Partial<PassedRequest> = {}): PassedRequest {
  return {
    cluster: 'prod',
    pid: 4711,
    program: 'kubectl',
    method: 'GET',
    path: '/api/v1/namespaces/default/pods',
    status: 200,
    fault: null,
    milliseconds: 12,
    sentMicroseconds: 300,
    answeredMicroseconds: 11_000,
    bytesUp: 0,
    bytesDown: 5_120,
    ...fields,
  };
}
