import { z } from 'zod';
import { configName, namespaceName } from './names.ts';

const text = (limit: number) => z.string().min(1).max(limit);

const labelSelector = text(1024).regex(/^[\x20-\x7e]*$/, 'expected a label selector, as in kubectl get -l');

/**
 * A host (`api.example.com`), all names below one (`*.example.com`), addresses (`10.0.0.0/8`), or an https:// URL whose
 * path is a prefix by whole parts.
 */
const serverPattern = text(2048).regex(
  /^[\x21-\x7e]+$/,
  'expected a host, *.DOMAIN, addresses such as 10.0.0.0/8, or an https:// URL with a path',
);

const httpsUrl = text(2048).regex(/^https:\/\/[\x21-\x7e]+$/, 'expected an https:// URL');

/** Text with `{variables}`; which of them there are, the place says. */
const template = text(512).regex(/^[\x21-\x7e]+$/, 'expected plain ASCII without spaces');

/**
 * How profiles that offer one access provider get credentials. The two policies have the names and values of the
 * community library’s provider file (sigs.k8s.io/cluster-inventory-api, pkg/access).
 */
export const accessProvider = z.strictObject({
  name: text(256).describe('The provider as profiles name it, such as google or eks.'),
  account: configName.describe('Whose credential the clusters of these profiles get.'),
  profileSourcedCLIArgsPolicy: z
    .enum(['Ignore', 'Append'])
    .default('Ignore')
    .describe('Whether arguments that a profile states are added to those of the account’s plugin.'),
  profileSourcedEnvVarsPolicy: z
    .enum(['Ignore', 'AppendIfNotExists', 'Replace'])
    .default('Ignore')
    .describe(
      'Whether variables that a profile states are set for the account’s plugin; Replace: also one that the account sets itself.',
    ),
  allowedEnvVars: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,126}$/, 'expected a variable’s name'))
    .max(64)
    .default([])
    .describe('The variables that a profile may set; all others are ignored.'),
  audience: template
    .optional()
    .describe(
      'These clusters take only tokens for an audience of their own, to which the account’s is exchanged (RFC 8693). With {inventory}, {namespace} and {name} of the profile.',
    ),
  servers: z
    .array(serverPattern)
    .min(1)
    .max(64)
    .optional()
    .describe('Where the servers of this provider may be; without it the inventory’s own list counts.'),
});

/** Where ClusterProfiles come from, and what becomes of them (KEP-4322, KEP-5339). */
export const inventory = z.strictObject({
  cluster: configName
    .optional()
    .describe('The hub: a cluster of this file, whose ClusterProfiles are listed and watched.'),
  namespaces: z
    .array(namespaceName)
    .min(1)
    .max(64)
    .optional()
    .describe('The hub’s namespaces; without it all of them.'),
  labelSelector: labelSelector
    .optional()
    .describe('Only profiles of the hub with these labels, such as env=prod.'),
  files: z
    .array(text(4096))
    .min(1)
    .max(64)
    .optional()
    .describe('In place of a hub: files and folders with ClusterProfiles as YAML or JSON. They are watched.'),
  providers: z
    .array(accessProvider)
    .min(1)
    .max(64)
    .describe('Of the providers that a profile offers, the first of this list is used.'),
  servers: z
    .array(serverPattern)
    .max(64)
    .default([])
    .describe(
      'Where the servers of profiles are expected: `api.example.com`, `*.example.com`, `10.0.0.0/8`, or an https:// URL with the beginning of a path. Any other server is marked in the question whether to use it.',
    ),
  serverRewrites: z
    .array(
      z.strictObject({
        from: httpsUrl.describe('The beginning of a server, by whole parts of its path.'),
        to: httpsUrl.describe('What stands in its place.'),
      }),
    )
    .max(64)
    .default([])
    .describe(
      'Servers that a hub publishes by names that only its own network knows, and where they are reached instead. The first that matches is used.',
    ),
  contextName: template
    .default('{name}')
    .describe(
      'The names of contexts: {clusterset}, {location}, {displayName}, {namespace}, {name} and {inventory} stand for a profile’s own.',
    ),
  select: labelSelector
    .optional()
    .describe('The profiles that become contexts without being chosen one by one, by their labels.'),
  contexts: z
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe('So many contexts at most. With thousands in a kubeconfig each kubectl takes a second longer.'),
  trusted: z
    .boolean()
    .default(false)
    .describe(
      'Approve a changed server or CA of a profile in use without a question, where the server is among `servers`. Everything else that changes still needs approval.',
    ),
});

export type AccessProviderConfig = z.infer<typeof accessProvider>;
export type InventoryConfig = z.infer<typeof inventory>;
