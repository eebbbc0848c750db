import { providerFile, providerName } from '../../../contract/program-names.ts';
import { refuse } from '../../../contract/refusal.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import type { ActiveConfig } from '../../../ports/config-store.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, done, parseWords } from '../command.ts';
import { type PrintedProvider, providersOf } from './rules/providers.ts';

export interface ImageConfigDeps {
  config: Pick<ActiveConfig, 'current'>;
  /** The folder that has the helper under a provider’s name. */
  binFolder: string;
  /** The variables by which the helper finds the home, where a kubelet has none or others. */
  variables: readonly (readonly [name: string, value: string])[];
  /** Puts the helper there under this name. */
  placeProvider(name: string): Promise<void>;
}

/** `lanyard image config`: a kubelet’s CredentialProviderConfig on stdout, and its two flags on stderr (KEP-2133). */
export function imageConfigCommand({
  config,
  binFolder,
  variables,
  placeProvider,
}: ImageConfigDeps): Command {
  return async (call) => {
    parseWords('image config', call.args, [], {});
    const { providers, left } = providersOf(config.current());
    const leftOut = left.map(({ registry, why }) => `${registry} is left out: ${why}`);
    if (providers.length === 0) {
      return refusalAnswer(
        refuse(
          'notFound',
          'image.noRegistries',
          ['there are no registries for a kubelet yet', ...leftOut].join('; '),
          'lanyard help registry add tells how to add one',
        ),
      );
    }
    for (const index of providers.keys()) {
      await placeProvider(providerName(index));
    }
    const flags = [
      '--image-credential-provider-config=FILE',
      `--image-credential-provider-bin-dir=${shellWord(binFolder)}`,
    ];
    return done(
      [
        'apiVersion: kubelet.config.k8s.io/v1',
        'kind: CredentialProviderConfig',
        'providers:',
        ...providers.flatMap((provider, index) =>
          providerLines(providerFile(providerName(index), process.platform), provider, variables),
        ),
      ].join('\n'),
      `${leftOut.map((line) => `${line}.\n`).join('')}Save it as FILE, and start a kubelet of your own user with:\n${flags.map((flag) => `  ${flag}`).join('\n')}`,
    );
  };
}

/** Without a default time: each answer says how long it may be cached. */
function providerLines(
  name: string,
  { patterns, tokenAttributes }: PrintedProvider,
  variables: ImageConfigDeps['variables'],
): string[] {
  return [
    `  - name: ${name}`,
    '    apiVersion: credentialprovider.kubelet.k8s.io/v1',
    '    defaultCacheDuration: 0s',
    '    matchImages:',
    // JSON’s texts are YAML’s: a `*` at the beginning would be an alias.
    ...patterns.map((pattern) => `      - ${JSON.stringify(pattern)}`),
    '    env:',
    ...variables.flatMap(([variable, value]) => [
      `      - name: ${variable}`,
      `        value: ${JSON.stringify(value)}`,
    ]),
    ...(tokenAttributes
      ? [
          '    tokenAttributes:',
          ...Object.entries(tokenAttributes).map(([key, value]) => `      ${key}: ${JSON.stringify(value)}`),
        ]
      : []),
  ];
}
