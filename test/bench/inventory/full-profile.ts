import { type ProfileObject, profileObject } from '../../support/inventory-hub.ts';

export interface FullProfileOptions {
  /** Null: one of its own. */
  server?: string | null;
  /** As long as one, and none, unless told. */
  certificateAuthorityPem?: string;
}

/** A profile of about 3 KB, as a cloud's cluster manager writes them. */
export function fullProfile(
  number: number,
  { server = null, certificateAuthorityPem = certificate }: FullProfileOptions = {},
): ProfileObject {
  const name = `cluster-${String(number).padStart(5, '0')}`;
  const plain = profileObject('fleet', name);
  const field = (key: string) => [`f:${key}`, { '.': {}, 'f:name': {}, 'f:value': {} }];
  return {
    ...plain,
    metadata: {
      ...plain.metadata,
      labels: { env: number % 2 === 0 ? 'prod' : 'dev', 'x-k8s.io/cluster-manager': 'tests' },
      managedFields: [
        {
          manager: 'cluster-manager',
          operation: 'Update',
          apiVersion: 'multicluster.x-k8s.io/v1alpha1',
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:status': Object.fromEntries(Array.from({ length: 12 }, (_, at) => field(`part${at}`))),
          },
        },
      ],
    },
    status: {
      ...plain.status,
      accessProviders: [
        {
          name: 'google',
          cluster: {
            server: server ?? `https://${name}.example.com`,
            'certificate-authority-data': Buffer.from(certificateAuthorityPem).toString('base64'),
            extensions: [
              {
                name: 'client.authentication.k8s.io/exec',
                extension: { region: 'eu-west-1', clusterId: name },
              },
            ],
          },
        },
      ],
    },
  };
}

const certificate = `-----BEGIN CERTIFICATE-----\n${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2\n'.repeat(16)}-----END CERTIFICATE-----\n`;
