import { exitCodes } from '../../../contract/exit-codes.ts';
import { refuse } from '../../../contract/refusal.ts';
import { encodeProviderResponse } from '../../../domain/image/provider-response.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { imageRegistry } from '../../image-registry.ts';
import { type RegistryCredentialDeps, registryCredential } from '../../registry-credential.ts';
import { type Command, parseWords, usageError } from '../command.ts';
import { serviceAccountOf, serviceAccountOptions } from './service-account.ts';

/**
 * `lanyard image get IMAGE [--output json|docker] [--service-account-token-file FILE]`: the credential that this image gets, for a program that speaks
 * neither protocol. It is printed, so you are asked first. json: a kubelet’s CredentialProviderResponse; docker: what
 * docker’s helper answers.
 */
export function imageGetCommand(deps: RegistryCredentialDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('image get', call.args, ['IMAGE'], {
      output: { type: 'string' },
      ...serviceAccountOptions,
    });
    const form = values.output ?? 'json';
    if (form !== 'json' && form !== 'docker') {
      throw usageError('image get', '--output is one of json, docker');
    }
    const found = imageRegistry(positionals[0] ?? '', deps);
    if (!found.ok) {
      return refusalAnswer(found);
    }
    const { image, match, cacheKeyType } = found;
    if (!match) {
      return refusalAnswer(
        refuse(
          'notFound',
          'image.none',
          `no registry has a pattern for ${image}`,
          `lanyard image why ${image}`,
        ),
      );
    }
    const serviceAccount = await serviceAccountOf('image get', call, values);
    const answered = await registryCredential(
      {
        door: 'cli',
        client: form === 'docker' ? 'docker' : 'kubelet',
        image,
        serviceAccount,
        registry: match.registry,
        context: call,
        interactive: true,
        print: 'asked',
        format: (password, { isForImage }) =>
          form === 'docker'
            ? `${JSON.stringify({ ServerURL: image.split('/', 1)[0], Username: password?.userName ?? '', Secret: password?.password.reveal() ?? '' })}\n`
            : encodeProviderResponse('credentialprovider.kubelet.k8s.io/v1', {
                cacheKeyType: isForImage ? 'Image' : cacheKeyType,
                cacheMilliseconds: 0,
                auth: new Map(password ? [[match.authKey, password]] : []),
              }).reveal(),
      },
      deps,
    );
    return answered.ok ? { code: exitCodes.good, stdout: answered.text } : refusalAnswer(answered);
  };
}
