import type { AccountView, ClusterView } from '../../main/contract/ui/state.ts';
import { days, hours, minutes, months, seconds } from './spans.ts';

/** One row of the invented table. Spans are relative to now. */
interface Line {
  name: string;
  server: string;
  account: string;
  state?: ClusterView['state'];
  problem?: string;
  /** The kind of its cached credential, and when it was issued, expires and is renewed. */
  held?: ['token' | 'certificate', number, number | null, number | null];
  generation?: number;
  asked?: [string, string, number];
  approval?: string;
  origin?: ClusterView['origin'];
  isProxied?: boolean;
  /** kubectl has no context for it. */
  hasNoContext?: true;
  isInsecure?: boolean;
  /** Why its last renewal failed. */
  trouble?: string;
  labels?: ClusterView['labels'];
  mark?: ClusterView['mark'];
}

const lines: readonly Line[] = [
  {
    name: 'staging-us',
    server: 'https://3f9a27c4.gr7.us-east-1.eks.example',
    account: 'corp-staging',
    state: 'loginNeeded',
    problem: 'The session of corp-staging has expired. Log in again.',
    asked: ['kubectl', 'zsh', -minutes(3)],
  },
  {
    name: 'lab-gpu',
    server: 'https://lab.internal.example:6443',
    account: 'lab-sso',
    state: 'failing',
    problem: 'The plugin failed: exit 1, 3 times in 5 min.',
    asked: ['k9s', 'tmux', -minutes(1)],
  },
  {
    name: 'prod-us',
    labels: { env: 'prod' },
    mark: { color: 'red', text: 'prod' },
    server: 'https://91c2e0aa.yl4.us-west-2.eks.example',
    account: 'eks-us',
    held: ['token', -minutes(6), minutes(9), minutes(4)],
    generation: 31,
    asked: ['helm', 'make', -minutes(12)],
  },
  {
    name: 'prod-eu',
    labels: { env: 'prod' },
    mark: { color: 'red', text: 'prod' },
    server: 'https://10.20.0.1:6443',
    account: 'corp',
    held: ['token', -minutes(18), minutes(42), minutes(35)],
    generation: 12,
    asked: ['kubectl', 'zsh', -minutes(2)],
    approval: 'perTerminal',
  },
  {
    name: 'prod-ap',
    labels: { env: 'prod' },
    mark: { color: 'red', text: 'prod' },
    server: 'https://10.30.0.1:6443',
    account: 'corp',
    held: ['token', -minutes(51), minutes(9), minutes(1)],
    trouble: 'could not be renewed: the provider didn’t answer within 10 s',
    problem: 'It could not be renewed: the provider didn’t answer within 10 s.',
    generation: 9,
    asked: ['k9s', 'tmux', -minutes(16)],
  },
  {
    name: 'edge-01',
    server: 'https://edge-01.corp.example:6443',
    account: 'corp-cert',
    held: ['certificate', -days(84), days(6) + hours(4), null],
    generation: 3,
    asked: ['kubectl', 'bash', -hours(5)],
  },
  {
    name: 'kind-dev',
    server: 'https://127.0.0.1:41923',
    account: 'kind',
    held: ['certificate', -days(31), months(11), null],
    asked: ['tilt', 'zsh', -seconds(20)],
  },
  {
    name: 'gke-data',
    server: 'https://34.90.1.7',
    account: 'gcloud',
    held: ['token', -minutes(5), minutes(55), minutes(48)],
    generation: 44,
    asked: ['terraform', 'zsh', -minutes(5)],
    origin: { inventory: 'fleet', namespace: 'team-data', name: 'gke-data' },
  },
  {
    name: 'vendor',
    server: 'https://api.vendor.example',
    account: 'vendor-token',
    held: ['token', -days(200), null, null],
    asked: ['kubectl', 'cron', -hours(1)],
    isProxied: true,
    hasNoContext: true,
  },
  {
    name: 'gateway',
    server: 'https://a1b2c3d4e5.execute-api.eu-west-1.example/prod',
    account: 'corp',
    held: ['token', -minutes(18), minutes(42), minutes(35)],
    generation: 8,
    asked: ['k9s', 'zsh', -minutes(3)],
    isProxied: true,
  },
  {
    name: 'plant',
    server: 'https://plant.corp.example:6443',
    account: 'badge',
    held: ['certificate', -months(7), months(5), null],
    asked: ['kubectl', 'zsh', -minutes(21)],
    isProxied: true,
  },
  {
    name: 'sandbox',
    server: 'https://10.90.0.1:6443',
    account: 'corp',
    isInsecure: true,
    hasNoContext: true,
  },
];

function contextFor({ name, hasNoContext }: Line): ClusterView['context'] {
  return hasNoContext
    ? {
        name: null,
        file: null,
        problem: 'kubectl has no context for it',
        command: 'lanyard kubeconfig contexts',
      }
    : { name, file: '/home/dev/.kube/config', problem: null, command: null };
}

/** Invented clusters in every state. */
export function sampleClusters(now: number, accounts: readonly AccountView[]): ClusterView[] {
  return lines.map((line, index) => {
    const kind = accounts.find(({ name }) => name === line.account)?.kind ?? null;
    const [held, issued, ends, renews] = line.held ?? [];
    const [program, parent, ago] = line.asked ?? [];
    return {
      name: line.name,
      displayName: null,
      aliases: [],
      labels: line.labels ?? {},
      mark: line.mark ?? null,
      nameMark: line.mark ?? null,
      server: line.server,
      origin: line.origin ?? null,
      account: line.account,
      kind,
      state: line.state ?? 'ready',
      isPending: line.state === 'held',
      problem: line.problem ?? null,
      credential:
        held === undefined
          ? null
          : {
              kind: held,
              issuedAt: now + (issued ?? 0),
              expiresAt: ends == null ? null : now + ends,
              renewsAt: renews == null ? null : now + renews,
              trouble: line.trouble ?? null,
              generation: line.generation ?? 1,
            },
      byHand: kind === 'staticToken' || kind === 'clientCertificate' || kind === 'pkcs11',
      audience: kind === 'oidc' ? line.name : null,
      approval: line.approval ?? 'never',
      isInsecure: line.isInsecure ?? false,
      isProxied: line.isProxied ?? false,
      context: line.state === 'held' ? null : contextFor(line),
      lastCall:
        program === undefined
          ? null
          : {
              at: now + (ago ?? 0),
              program,
              parent: parent ?? null,
              outcome: line.state === undefined ? 'handedOut' : 'refused',
              reason:
                line.state === undefined ? 'good' : line.state === 'failing' ? 'provider' : 'loginNeeded',
              microseconds: 900 + index * 70,
            },
      laneVersion: index + 1,
    };
  });
}

/** Many clusters (1,000), to test views. A few need the user. */
export function manyClusters(now: number, accounts: readonly AccountView[], count: number): ClusterView[] {
  const models = sampleClusters(now, accounts);
  return Array.from({ length: count }, (_, index) => {
    // Mostly good ones: trouble in every third row would not be realistic.
    const model = models[index % 40 < models.length ? index % 40 : 3 + (index % 6)] ?? models[3];
    const number = String(index + 1).padStart(4, '0');
    return {
      ...(model as ClusterView),
      name: `${model?.name ?? 'cluster'}-${number}`,
      // An event of the sample is named by its time.
      lastCall: model?.lastCall ? { ...model.lastCall, at: model.lastCall.at - index } : null,
      laneVersion: index + 1,
    };
  });
}

const scripts = [
  'عنقود-الإنتاج-الرئيسي',
  '生产环境支付服务集群',
  'Прод: северный кластер',
  'क्लस्टर उत्पादन',
  'ייצור',
];

/** The same with names of 80 letters, and with display names in other scripts, in turn. */
export function oddlyNamed(clusters: readonly ClusterView[]): ClusterView[] {
  return clusters.map((cluster, index) => {
    const script = scripts[Math.floor(index / 3) % scripts.length] ?? null;
    switch (index % 3) {
      case 0:
        return { ...cluster, name: `${'payments-production-europe-'.repeat(3)}${cluster.name}`.slice(-80) };
      case 1:
        return { ...cluster, displayName: script };
      default:
        return cluster;
    }
  });
}
