import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';

const path = '/etc/kubernetes/credential-provider.yaml';
const binFolder = '/etc/kubernetes/image-credential-provider';

export const providerSample = {
  'providers.found': () => ({ configs: [{ path, binFolder, providers: 2, fault: null }] }),
  'providers.plan': async ({ path: named, binFolder: folder }, { wait }) => {
    await wait(300);
    if (!named.endsWith('.yaml')) {
      throw new SampleRefusal(
        `unable to access path "${named}": no such file or directory`,
        'nothing was imported; correct the file and try again',
      );
    }
    return {
      id: 'providers-1',
      providers: [
        {
          provider: 'ecr-credential-provider',
          matchImages: ['123456789012.dkr.ecr.*.amazonaws.com'],
          becomes: {
            account: 'ecr-credential-provider',
            accountExists: false,
            registry: 'ecr-credential-provider',
            registryExists: false,
          },
          left: null,
          program: [
            `${folder}/ecr-credential-provider get-credentials`,
            `${folder}/ecr-credential-provider, owner root, SHA-256 ${'4f'.repeat(32)}`,
            'variables AWS_PROFILE=dev, ECR_TOKEN (in the vault)',
          ],
          notes: ['its ECR_TOKEN is copied into the vault; the kubelet’s file keeps it, too'],
        },
        {
          provider: 'acr-credential-provider',
          matchImages: ['*.azurecr.io'],
          becomes: null,
          left: `plugin binary executable ${folder}/acr-credential-provider did not exist`,
          program: [],
          notes: [],
        },
      ],
      notes: [
        'a kubelet gives a plugin all of its own variables; Lanyard gives it HOME, PATH, proxies, the language and the variables of its entry',
      ],
      lines: [
        '--- config.yaml',
        '+++ config.yaml',
        '@@ -0,0 +1,4 @@',
        '+registries:',
        '+  ecr-credential-provider:',
        '+    matchImages: [123456789012.dkr.ecr.*.amazonaws.com]',
        '+    account: ecr-credential-provider',
      ],
      moreLines: 0,
      hasWork: true,
    };
  },
  'providers.import': async (_, { wait }) => {
    await wait(300);
    return { registries: ['ecr-credential-provider'], held: true, undo: 'providers-1' };
  },
  'providers.undo': () => ({
    registries: ['ecr-credential-provider'],
    accounts: ['ecr-credential-provider'],
    left: [],
  }),
} satisfies SomeHandlers;
