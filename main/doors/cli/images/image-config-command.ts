import { providerName } from '../../../contract/program-names.ts';
import { refuse } from '../../../contract/refusal.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import type { Directory } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, done, parseWords } from '../command.ts';

export interface ImageConfigDeps {
  directory: Pick<Directory, 'registries'>;
  /** The folder that has the helper under a provider’s name. */
  binFolder: string;
}

/** `lanyard image config`: a kubelet’s CredentialProviderConfig on stdout, and its two flags on stderr (KEP-2133). */
export function imageConfigCommand({ directory, binFolder }: ImageConfigDeps): Command {
  return async (call) => {
    parseWords('image config', call.args, [], {});
    const patterns = [
      ...new Set(
        directory
          .registries()
          .flatMap(({ config }) => (config.calledAs === undefined ? config.matchImages : [])),
      ),
    ];
    if (patterns.length === 0) {
      return refusalAnswer(
        refuse(
          'notFound',
          'image.noRegistries',
          'there are no registries yet',
          'lanyard help registry add tells how to add one',
        ),
      );
    }
    const flags = [
      '--image-credential-provider-config=FILE',
      `--image-credential-provider-bin-dir=${shellWord(binFolder)}`,
    ];
    return done(
      providerConfigText(patterns),
      `Save it as FILE, and start a kubelet of your own user with:\n${flags.map((flag) => `  ${flag}`).join('\n')}`,
    );
  };
}

/** Without a default time: each answer says how long it may be cached. */
function providerConfigText(patterns: readonly string[]): string {
  return [
    'apiVersion: kubelet.config.k8s.io/v1',
    'kind: CredentialProviderConfig',
    'providers:',
    `  - name: ${providerName}`,
    '    apiVersion: credentialprovider.kubelet.k8s.io/v1',
    '    defaultCacheDuration: 0s',
    '    matchImages:',
    // JSON’s texts are YAML’s: a `*` at the beginning would be an alias.
    ...patterns.map((pattern) => `      - ${JSON.stringify(pattern)}`),
  ].join('\n');
}
