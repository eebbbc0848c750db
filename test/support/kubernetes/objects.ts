/** The answers of the small API server, as Kubernetes 1.33 words them. */

const gitVersion = 'v1.33.0';

export const version = {
  major: '1',
  minor: '33',
  gitVersion,
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '2025-04-23T13:40:52Z',
  goVersion: 'go1.24.2',
  compiler: 'gc',
  platform: 'linux/amd64',
};

export const coreVersions = {
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [],
};

const authenticationGroup = {
  name: 'authentication.k8s.io',
  versions: [{ groupVersion: 'authentication.k8s.io/v1', version: 'v1' }],
  preferredVersion: { groupVersion: 'authentication.k8s.io/v1', version: 'v1' },
};

export const groups = { kind: 'APIGroupList', apiVersion: 'v1', groups: [authenticationGroup] };

export const coreResources = {
  kind: 'APIResourceList',
  groupVersion: 'v1',
  resources: [
    {
      name: 'pods',
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: ['get', 'list'],
      shortNames: ['po'],
      categories: ['all'],
    },
  ],
};

export const authenticationResources = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'authentication.k8s.io/v1',
  resources: [
    {
      name: 'selfsubjectreviews',
      singularName: 'selfsubjectreview',
      namespaced: false,
      kind: 'SelfSubjectReview',
      verbs: ['create'],
    },
  ],
};

const created = '2026-01-01T00:00:00Z';
const podNames = ['web-0', 'web-1', 'worker-0'];

function podMetadata(name: string, namespace: string) {
  return { name, namespace, uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: created };
}

export function podList(namespace: string) {
  const items = podNames.map((name) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: podMetadata(name, namespace),
    spec: { containers: [{ name: 'main', image: 'example.com/app:1' }] },
    status: { phase: 'Running', startTime: created },
  }));
  return { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items };
}

/** What kubectl asks for when it prints columns (`as=Table`). */
export function podTable(namespace: string) {
  const column = (name: string, type = 'string') => ({
    name,
    type,
    format: '',
    description: '',
    priority: 0,
  });
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '1' },
    columnDefinitions: [
      { ...column('Name'), format: 'name' },
      column('Ready'),
      column('Status'),
      column('Restarts'),
      column('Age'),
    ],
    rows: podNames.map((name) => ({
      cells: [name, '1/1', 'Running', '0', '1d'],
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: podMetadata(name, namespace),
      },
    })),
  };
}

export function selfSubjectReview(username: string, userGroups: readonly string[], version = 'v1') {
  return {
    kind: 'SelfSubjectReview',
    apiVersion: `authentication.k8s.io/${version}`,
    metadata: { creationTimestamp: null },
    status: { userInfo: { username, groups: userGroups } },
  };
}

/** A failure in the form that clients read (metav1.Status). */
export function failure(code: number, reason: string, message: string) {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}
