import { z } from 'zod';
import { configName, namespaceName, secretDataKey } from '../names.ts';

/** Where both kinds of secret reader find a Secret. */
const readerParts = {
  cluster: configName.describe(
    'The hub: a cluster of this file. Its Secrets are read with its own account’s credential.',
  ),
  namespace: namespaceName.describe(
    'The namespace of the Secrets. A namespace that a profile states is ignored.',
  ),
  cacheSeconds: z
    .int()
    .min(1)
    .max(7 * 86_400)
    .optional()
    .describe('How long a Secret’s content is cached; without this, for the calling process alone.'),
};

/** The community’s plugin `secretreader`: a token in a Secret of a hub (KEP-4322). */
export const secretReaderAccount = z.strictObject({
  ...readerParts,
  key: secretDataKey.default('token').describe('The key of the Secret’s data that has the token.'),
});

/** The community’s plugin `kubeconfig-secretreader`: a kubeconfig in a Secret of a hub (KEP-4322). */
export const kubeconfigSecretReaderAccount = z.strictObject(readerParts);
