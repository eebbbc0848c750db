import { clusterName } from '../../domain/target/target.ts';
import type { Caller } from '../../ports/caller.ts';
import type { CallEvent, HistoryEvent, Recorder, RequestEvent } from '../../ports/history.ts';

export const kubectl: Caller = {
  uid: 1000,
  pid: 4711,
  startTime: '123456',
  executable: '/usr/bin/kubectl',
  executableId: '8:42',
  session: { leaderPid: 400, startTime: '99' },
  pidNamespace: '4026531836',
  origin: 'local',
  hasTerminal: true,
  sure: true,
};

/** What a test says of an event of this kind. */
export type Fields<Kind extends HistoryEvent['kind']> = Partial<Extract<HistoryEvent, { kind: Kind }>>;

/** A run of the plugin of `eks` in the broker, which answered. */
export function pluginRun(fields: Fields<'pluginRun'> = {}): Extract<HistoryEvent, { kind: 'pluginRun' }> {
  return {
    kind: 'pluginRun',
    plugin: 'execPlugin',
    account: 'eks',
    target: clusterName('prod'),
    where: 'broker',
    callStatus: 'no_error',
    exitCode: 0,
    code: null,
    milliseconds: 640,
    ...fields,
  };
}

/** The certificate of `eks`, good for 100 hours, was replaced in the last hundredth of its life. */
export function certificateRotation(fields: Fields<'generation'> = {}): HistoryEvent {
  const age = 99 * 3_600_000;
  return {
    kind: 'generation',
    account: 'eks',
    audience: null,
    generation: 2,
    why: 'ahead',
    credential: 'certificate',
    issuedAt: null,
    expiresAt: null,
    previousAge: age,
    previousLife: 100 * 3_600_000,
    replacedCertificateAge: age,
    target: null,
    ...fields,
  };
}

export function callEvent(fields: Partial<CallEvent> = {}): CallEvent {
  return {
    kind: 'call',
    door: 'kube',
    caller: kubectl,
    account: 'corp',
    target: clusterName('prod'),
    audience: null,
    outcome: 'handedOut',
    reason: 'held',
    generation: 1,
    microseconds: 321,
    ...fields,
  };
}

/** A request of kubectl’s through the request proxy, which the cluster answered. */
export function requestEvent(fields: Partial<RequestEvent> = {}): RequestEvent {
  return {
    kind: 'request',
    target: clusterName('prod'),
    pid: 4711,
    program: 'kubectl',
    method: 'GET',
    path: '/api/v1/namespaces/default/pods',
    status: 200,
    answeredBy: 'cluster',
    milliseconds: 12,
    bytesUp: 0,
    bytesDown: 5_120,
    ...fields,
  };
}

/** One of each kind, with the fields that may be null both ways. */
export const oneOfEach: readonly HistoryEvent[] = [
  callEvent(),
  callEvent({
    caller: {
      uid: 1000,
      pid: 0,
      startTime: '',
      executable: null,
      executableId: null,
      session: null,
      pidNamespace: null,
      origin: 'container',
      hasTerminal: false,
      sure: false,
    },
    target: null,
    audience: 'aud',
    outcome: 'refused',
    reason: 'cluster.unknown',
    generation: null,
  }),
  {
    kind: 'login',
    account: 'corp',
    flow: 'device',
    outcome: 'done',
    code: null,
    issuer: 'https://id.example.com',
    subject: 'abc',
    displayName: 'Alice',
  },
  {
    kind: 'login',
    account: 'corp',
    flow: null,
    outcome: 'cancelled',
    code: 'oidc.denied',
    issuer: null,
    subject: null,
    displayName: null,
  },
  { kind: 'logout', account: 'corp', hadSession: true, revocation: 'revoked' },
  {
    kind: 'generation',
    account: 'corp',
    audience: 'prod',
    generation: 2,
    why: 'ahead',
    credential: 'token',
    issuedAt: 1_767_225_600_000,
    expiresAt: 1_767_226_200_000,
    previousAge: 540_000,
    previousLife: 3_600_000,
    target: clusterName('prod'),
    replacedCertificateAge: null,
  },
  {
    kind: 'generation',
    account: 'ops',
    audience: null,
    generation: 1,
    why: 'found',
    credential: 'certificate',
    issuedAt: null,
    expiresAt: null,
    previousAge: null,
    previousLife: null,
    target: null,
    replacedCertificateAge: 3_500_000,
  },
  {
    kind: 'renewal',
    account: 'corp',
    audience: null,
    why: 'due',
    outcome: 'failed',
    code: 'provider.timeout',
    milliseconds: 45_000,
  },
  {
    kind: 'pluginRun',
    plugin: 'execPlugin',
    account: 'eks',
    target: clusterName('prod'),
    where: 'caller',
    callStatus: 'plugin_execution_error',
    exitCode: 255,
    code: 'plugin.exit',
    milliseconds: 1_250,
  },
  {
    kind: 'pluginRun',
    plugin: 'execPlugin',
    account: 'eks',
    target: null,
    where: 'broker',
    callStatus: 'no_error',
    exitCode: 0,
    code: null,
    milliseconds: 600,
  },
  {
    kind: 'pluginRun',
    plugin: 'credentialProvider',
    account: 'ecr',
    target: { kind: 'registry', name: 'work' },
    where: 'broker',
    callStatus: 'plugin_execution_error',
    exitCode: 3,
    code: 'credentialProvider.failed',
    milliseconds: 300,
  },
  {
    kind: 'rejection',
    account: 'corp',
    target: clusterName('prod'),
    audience: null,
    generation: 2,
    verdict: 'rejected',
    action: 'renewed',
  },
  {
    kind: 'approval',
    caller: kubectl,
    account: 'corp',
    target: clusterName('prod'),
    policy: 'perTerminal',
    outcome: 'denied',
    where: 'window',
  },
  {
    kind: 'inventory',
    inventory: 'fleet',
    what: 'failing',
    code: 'unauthorized',
    profiles: 0,
    context: null,
  },
  { kind: 'inventory', inventory: 'fleet', what: 'pending', code: null, profiles: 1, context: 'prod' },
  { kind: 'lock', what: 'locked', why: 'idle' },
  { kind: 'change', what: 'account.add', name: 'corp' },
  { kind: 'change', what: 'passphrase.set', name: null },
  requestEvent(),
  requestEvent({ program: null, status: 0, answeredBy: null }),
  { kind: 'moreRequests', target: clusterName('prod'), requests: 1_240, bytesUp: 0, bytesDown: 5_000_000 },
];

export function recordAll(recorder: Recorder, events: readonly HistoryEvent[] = oneOfEach): void {
  for (const event of events) {
    recorder.record(event);
  }
}
