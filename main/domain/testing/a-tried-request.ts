import type { TriedRequest } from '../../contract/tried-request.ts';

type Attempt = TriedRequest['attempts'][number];
type Step = Attempt['steps'][number];

/** A step of the data plane, with the headers that it set. */
export function triedStep(
  kind: Step['kind'],
  headers: readonly string[] = [],
  more: Partial<Step> = {},
): Step {
  const how = kind === 'add' ? 'added' : kind.startsWith('remove') ? 'removed' : 'set';
  return {
    kind,
    changes: headers.map((header) => ({ header, value: how === 'removed' ? null : `of ${header}`, how })),
    canonicalRequest: null,
    stringToSign: null,
    microseconds: 10,
    ...more,
  };
}

export function attempt(more: Partial<Attempt> = {}): Attempt {
  return {
    why: 'first',
    steps: [],
    headers: [['host', 'api.example']],
    status: 200,
    chainMicroseconds: 100,
    answeredMicroseconds: 5_000,
    ...more,
  };
}

export function triedRequest(more: Partial<TriedRequest> = {}): TriedRequest {
  return {
    url: 'https://api.example/version',
    attempts: [attempt()],
    answer: { status: 200, headers: [], bytes: 12, body: null },
    fault: null,
    faultStatus: null,
    connectedMicroseconds: 3_000,
    totalMicroseconds: 6_000,
    ...more,
  };
}
