import { Secret } from '../../base/secret.ts';
import { exitCodes } from '../../contract/exit-codes.ts';
import { imageRequest } from '../../contract/frames.ts';
import { refuse } from '../../contract/refusal.ts';
import { type ProviderRequest, readProviderRequest } from '../../domain/image/provider-request.ts';
import { encodeProviderResponse } from '../../domain/image/provider-response.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { type Door, type DoorAnswer, refusalAnswer } from '../../ports/door.ts';
import { imageRegistry } from '../image-registry.ts';
import { type RegistryCredentialDeps, registryCredential } from '../registry-credential.ts';
import { cacheMilliseconds } from './rules/cache-milliseconds.ts';

/** A kubelet ends a provider after a minute: it is told before that why it gets nothing. */
const patienceMilliseconds = 50_000;

/**
 * The image door: KEP-2133 as its provider. One CredentialProviderRequest, one CredentialProviderResponse. A refusal is
 * an error, never a response without `auth`: a kubelet would pull without a credential, and cache that.
 */
export function createImageDoor(deps: RegistryCredentialDeps): Door {
  return async (request, context) => {
    const parsed = imageRequest.safeParse(request);
    if (!parsed.success) {
      return refusalAnswer(refuse('usage', 'image.request', 'the helper’s request is not of this protocol'));
    }
    const read = readProviderRequest(new Secret(Buffer.from(parsed.data.input, 'base64').toString('utf8')));
    if (!read.ok) {
      return refusalAnswer(refuse('usage', 'image.request', visibleText(read.message, 512)));
    }
    const { apiVersion, serviceAccountToken: token, serviceAccountAnnotations: annotations } = read.request;
    const found = imageRegistry(read.request.image, deps);
    if (!found.ok) {
      return refusalAnswer(found);
    }
    const { image, match, cacheKeyType } = found;
    if (!match) {
      return nothingFor(read.request);
    }
    const answered = await registryCredential(
      {
        door: 'image',
        client: 'kubelet',
        image,
        serviceAccount: token ? { token, annotations } : undefined,
        registry: match.registry,
        context,
        patienceMilliseconds,
        interactive: false,
        format: (password, { life, isForImage }, registry) =>
          encodeProviderResponse(apiVersion, {
            cacheKeyType: isForImage ? 'Image' : cacheKeyType,
            cacheMilliseconds: cacheMilliseconds(registry, life),
            auth: new Map(password ? [[match.authKey, password]] : []),
          }).reveal(),
      },
      deps,
    );
    return answered.ok ? { code: exitCodes.good, stdout: answered.text } : refusalAnswer(answered);
  };
}

/**
 * For an image of no registry in config.yaml. Also while locked: the names of registries are no secret, and pulls of
 * public images go on. `0s`: a registry that is added later counts at the next pull.
 */
function nothingFor({ apiVersion }: ProviderRequest): DoorAnswer {
  const response = { cacheKeyType: 'Image', cacheMilliseconds: 0, auth: new Map() } as const;
  return { code: exitCodes.good, stdout: encodeProviderResponse(apiVersion, response).reveal() };
}
