import type { ShownStep, ShownTry } from '../../../main/contract/shown-try.ts';
import type { ConfigEntry } from '../../../main/contract/ui/calls/entries.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';

/** A step of an invented chain: in config.yaml, and what it does to a request. */
interface SampleStep extends Pick<ShownStep, 'does'> {
  entry: ConfigEntry;
  change(path: string, now: number): Partial<ShownStep>;
}

const set = (header: string, value: string | null) => ({ header, value, how: 'set' as const });

const signing = { sign: 'aws-prod', service: 'execute-api', region: 'eu-west-1' };

/** The chains of the invented clusters behind the request proxy. */
const chains: Readonly<Record<string, readonly SampleStep[]>> = {
  vendor: [
    {
      entry: { set: 'CF-Access-Client-Id', value: '88bf3b6d.access.vendor.example' },
      does: ['Set CF-Access-Client-Id: 88bf3b6d.access.vendor.example'],
      change: () => ({ changes: [set('cf-access-client-id', '88bf3b6d.access.vendor.example')] }),
    },
    {
      entry: { set: 'CF-Access-Client-Secret', account: 'vendor-token' },
      does: ['Set CF-Access-Client-Secret: the credential of ', { account: 'vendor-token' }],
      change: () => ({ changes: [set('cf-access-client-secret', null)] }),
    },
  ],
  gateway: [
    {
      entry: { set: 'X-Kubernetes-Authorization', account: 'corp', scheme: 'Bearer' },
      does: ['Set X-Kubernetes-Authorization: Bearer and the credential of ', { account: 'corp' }],
      change: () => ({ changes: [set('x-kubernetes-authorization', null)] }),
    },
    {
      entry: signing,
      does: [
        'Sign for execute-api in eu-west-1: with the keys of ',
        { account: 'aws-prod' },
        ', body included',
      ],
      change: signed,
    },
  ],
};

/** What an invented cluster behind the request proxy has in config.yaml, and the same for the user. */
export function sampleChain(cluster: string): readonly Pick<SampleStep, 'entry' | 'does'>[] {
  return chains[cluster] ?? [];
}

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function signed(path: string, now: number): Partial<ShownStep> {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const [name, query = ''] = path.split('?');
  const headers = `host;x-amz-content-sha256;x-amz-date;x-amz-security-token`;
  return {
    changes: [
      { header: 'authorization', value: null, how: 'removed' },
      set('x-amz-date', time),
      set('x-amz-security-token', null),
      set('x-amz-content-sha256', emptyHash),
      set('authorization', null),
    ],
    canonicalRequest: [
      ...['GET', `/prod${name}`, query, 'host:a1b2c3d4e5.execute-api.eu-west-1.example'],
      ...[`x-amz-content-sha256:${emptyHash}`, `x-amz-date:${time}`, 'x-amz-security-token:[blanked]'],
      ...['', headers, emptyHash],
    ].join('\n'),
    stringToSign: [
      ...['AWS4-HMAC-SHA256', time, `${time.slice(0, 8)}/eu-west-1/execute-api/aws4_request`],
      'b4c0a1f34a7c1d7a2e5f0d3bba5fd1c3f6d2f1a0e8c94ce8fb1b6a1c4d05a7e9',
    ].join('\n'),
    microseconds: 41,
  };
}

/** A try in the invented world: what is no path of an API server has no route in the gateway. */
export function sampleTry({ name, server, account }: ClusterView, typed: string, now: number): ShownTry {
  const path = typed.startsWith('/') ? typed : `/${typed}`;
  const isRouted = /^\/(api|apis|version|healthz|livez|readyz|openapi)\b/.test(path);
  const bare = { changes: [], canonicalRequest: null, stringToSign: null, microseconds: 4 };
  const steps: ShownStep[] = [
    {
      ...bare,
      does: ['Set Authorization: the credential of ', { account }],
      changes: [set('authorization', null)],
    },
    ...(chains[name] ?? []).map(({ does, change }) => ({ ...bare, does, ...change(path, now) })),
  ];
  const sent = new Map(
    steps.flatMap(({ changes }) => changes.map(({ header, value }) => [header, value] as const)),
  );
  const body = '{"message":"Missing Authentication Token"}';
  const date = new Date(now).toUTCString();
  return {
    cluster: name,
    method: 'GET',
    url: `${server}${path}`,
    attempts: [
      {
        why: 'first',
        steps,
        headers: [['host', new URL(server).host], ['accept', '*/*'], ...sent],
        status: isRouted ? 200 : 403,
        chainMicroseconds: 640,
        answeredMicroseconds: 61_400,
      },
    ],
    answer: isRouted
      ? {
          status: 200,
          headers: [
            ['date', date],
            ['content-type', 'application/json'],
          ],
          bytes: 263,
          body: null,
        }
      : {
          status: 403,
          headers: [
            ['date', date],
            ['content-type', 'application/json'],
            ['x-amzn-errortype', 'MissingAuthenticationTokenException'],
          ],
          bytes: body.length,
          body,
        },
    statusWords: isRouted ? 'OK' : 'Forbidden',
    fault: null,
    faultStatus: null,
    connectedMicroseconds: 38_200,
    totalMicroseconds: 62_900,
    advice: isRouted
      ? []
      : [
          {
            text: 'API Gateway says this of a path or method that it has no route for, too',
            hint: `see whether the server of ${name} has the stage in its path, and whether the API has a route for this one`,
          },
        ],
  };
}
